//! Which TVs there are, and pairing another.

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::NO_TV;
use crate::devices::{DevicesActor, ListDevices};
use crate::name::DeviceName;
use crate::pairing::{ClaimInto, ClaimTv, PairingActor};

/// `tv_list_devices`
pub(super) struct ListDevicesTool;

#[derive(Deserialize, JsonSchema)]
pub(super) struct NoArguments {}

#[derive(Serialize, JsonSchema)]
pub(super) struct Devices {
    /// The TVs that the key reaches, sorted by name.
    devices: Vec<Device>,
}

#[derive(Serialize, JsonSchema)]
struct Device {
    /// The TV's name.
    id: String,
    /// Whether it is connected and takes commands.
    online: bool,
}

impl Tool for ListDevicesTool {
    type Arguments = NoArguments;
    type Output = Devices;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_list_devices",
            seed_name: Some("tv.list_devices"),
            title: "List TVs",
            description: "Lists the TVs you can steer and whether each is online. A TV that is offline is switched off, asleep, or its \
                          bridge app is not running; only a person at the TV can change that.",
            scope: Scope::Tv,
            effect: Effect::Reads,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, _: NoArguments) -> Result<Answer<Devices>, Failure> {
        let house = call.principal.house;
        let devices = call.bus.call(DevicesActor::key(house), ListDevices {}, call.deadline).await?;
        let devices = devices.map_err(|error| Failure::world(error.to_string()))?;
        let reached = devices.into_iter().filter(|device| call.principal.reaches(device.id));
        let devices: Vec<Device> =
            reached.map(|device| Device { id: device.name.to_string(), online: device.online }).collect();
        let lines: Vec<String> = devices
            .iter()
            .map(|device| format!("{}: {}", device.id, if device.online { "online" } else { "offline" }))
            .collect();
        let prose = if lines.is_empty() { NO_TV.to_owned() } else { lines.join("\n") };
        Ok(Answer::new(Devices { devices }, prose))
    }
}

/// `tv_claim_device`
pub(super) struct ClaimDeviceTool;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ClaimArguments {
    /// The eight digits that the TV shows; spaces do not matter.
    #[schemars(length(min = 1, max = 40))]
    code: String,
    /// What to call the TV, such as `bedroom`: a-z, 0-9 and `-`, up to 32 characters. Left out: the first free of living-room, tv-2, tv-3 …
    name: Option<String>,
    /// Set to true when the app on a TV of this house was reset: `name` is then that TV's present name, and it keeps its
    /// name and its tokens.
    replace: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Claimed {
    /// The TV's name.
    id: DeviceName,
    /// The house it is in.
    house: String,
    /// A token with which an assistant can steer this TV and nothing else. Shown only now.
    token: String,
}

impl Tool for ClaimDeviceTool {
    type Arguments = ClaimArguments;
    type Output = Claimed;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_claim_device",
            seed_name: Some("tv.claim_device"),
            title: "Pair a TV",
            description: "Pairs a TV with this house by the eight-digit code that the bridge app shows on its screen. Ask the user to \
                          read the code out; never guess one. Answers a token for this TV alone, which is shown only once: give it to the \
                          user if another assistant is to steer the TV. This key reaches the TV without it, unless it was limited to other TVs.",
            scope: Scope::HouseAdmin,
            effect: Effect::Acts,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: ClaimArguments) -> Result<Answer<Claimed>, Failure> {
        let said = |fault: &dyn std::fmt::Display| Failure::world(format!("No TV was paired: {fault}."));
        let code = arguments.code.parse().map_err(|fault| said(&fault))?;
        let name = arguments.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let name = name.map(str::parse::<DeviceName>).transpose().map_err(|fault| said(&fault))?;
        let house = call.principal.house;
        let into = if arguments.replace == Some(true) { ClaimInto::Again(house) } else { ClaimInto::House(house) };
        if name.is_none() && matches!(into, ClaimInto::Again(_)) {
            return Err(said(&"`replace` needs the `name` of the TV that was reset; tv_list_devices lists the names"));
        }
        let claimed = call.bus.call(PairingActor::KEY, ClaimTv { code, name, into }, call.deadline).await?;
        let claimed = claimed.map_err(|error| said(&error))?;
        let prose = format!(
            "The TV is paired as `{}`. It goes online by itself within some seconds. Token for an assistant of this TV alone, shown only \
             now: {}",
            claimed.name,
            claimed.token.reveal()
        );
        let token = claimed.token.reveal().to_owned();
        Ok(Answer::new(Claimed { id: claimed.name, house: claimed.house_name, token }, prose))
    }
}
