//! How each question and order to a TV becomes frames and an answer.

use std::rc::Rc;
use std::time::Duration;

use playhouse_bus::{Answer, CallInfo, Deadline, Handle};

use super::lane::{Lane, is_worth_another_look};
use super::messages::{
    ClearSubtitle, ControlPlayback, Gesture, GetPlayback, GetVolume, KeyPressed, LaunchApp, Launched, ListApps,
    MAX_KEY_REPEAT, MAX_SUBTITLE_SECONDS, MakeGesture, ObserveScreen, PlaybackAction, SendKey, SetCaptions, SetVolume,
    ShowSubtitle, TypeText,
};
use super::turns::Place;
use super::{TvActor, overlay};
use crate::answers::{AppList, Captions, Playback, ScreenObservation, TypeResult, Volume};
use crate::error::TvError;
use crate::wire::payload::{self, PayloadFault};
use crate::wire::{BridgeError, Command, IncomingFrame};

/// How the inner JSON of a reply is read.
type Reader<T> = fn(&IncomingFrame) -> Result<T, PayloadFault>;

/// How long a screen that could not be read is given before the second and last look.
const BEFORE_SECOND_LOOK: Duration = Duration::from_secs(1);

impl TvActor {
    /// One command, one reply.
    fn ask<T: 'static>(&self, command: Command, call: CallInfo, reader: Reader<T>) -> Answer<Self, Result<T, TvError>> {
        self.run(call, async move |lane, place, deadline| {
            let reply = lane.ask(place, &command, deadline).await?;
            read(lane, &command, &reply, reader)
        })
    }

    /// One command of which only the acknowledgement counts.
    fn order(&self, command: Command, call: CallInfo) -> Answer<Self, Result<(), TvError>> {
        self.ask(command, call, |_| Ok(()))
    }

    /// Takes a place in the line now, and does the rest beside other messages.
    ///
    /// What was written cannot be called back, and nobody is left to be told: so the work stops when its caller has gone, which also
    /// ends a run of presses between two of them.
    fn run<T: 'static>(
        &self,
        call: CallInfo,
        work: impl AsyncFnOnce(&Lane, Place, Deadline) -> Result<T, TvError> + 'static,
    ) -> Answer<Self, Result<T, TvError>> {
        let place = self.lane.line_up();
        let lane = Rc::clone(&self.lane);
        Answer::later(async move { work(&lane, place, call.deadline).await })
    }
}

fn read<T>(lane: &Lane, command: &Command, reply: &IncomingFrame, reader: Reader<T>) -> Result<T, TvError> {
    reader(reply).map_err(|fault| TvError::Unreadable {
        tv: lane.context.name(),
        only_reads: command.only_reads(),
        fault,
    })
}

/// Several commands in one turn; answers the last one's reply.
async fn ask_all<T>(
    lane: &Lane,
    place: Place,
    deadline: Deadline,
    commands: &[Command],
    reader: Reader<T>,
) -> Result<Option<T>, TvError> {
    let _turn = lane.turn(place, deadline).await?;
    let mut answer = None;
    for command in commands {
        let reply = lane.ask_within_turn(command, deadline).await?;
        answer = Some(read(lane, command, &reply, reader)?);
    }
    Ok(answer)
}

impl Handle<SendKey> for TvActor {
    fn handle(&mut self, order: SendKey, call: CallInfo) -> Answer<Self, Result<KeyPressed, TvError>> {
        let SendKey { key, repeat } = order;
        let asked = repeat.clamp(1, MAX_KEY_REPEAT);
        let command = Command::PressKey(key);
        if asked == 1 {
            return self.run(call, async move |lane, place, deadline| {
                lane.ask(place, &command, deadline).await.map(|_| KeyPressed { key, pressed: 1 })
            });
        }
        self.run(call, async move |lane, place, deadline| {
            let _turn = lane.turn(place, deadline).await?;
            for pressed in 0..asked {
                if let Err(cause) = lane.ask_within_turn(&command, deadline).await {
                    return Err(match pressed {
                        0 => cause,
                        _ => TvError::KeyRunStopped { key, pressed, asked, cause: Box::new(cause) },
                    });
                }
            }
            Ok(KeyPressed { key, pressed: asked })
        })
    }
}

impl Handle<LaunchApp> for TvActor {
    fn handle(&mut self, order: LaunchApp, call: CallInfo) -> Answer<Self, Result<Launched, TvError>> {
        let intent = order.intent;
        let Some(as_phone_app) = intent.as_phone_app() else {
            return self.run(call, async move |lane, place, deadline| {
                lane.ask(place, &Command::Launch(intent.clone()), deadline).await.map(|_| Launched { intent })
            });
        };
        self.run(call, async move |lane, place, deadline| {
            let _turn = lane.turn(place, deadline).await?;
            match lane.ask_within_turn(&Command::Launch(intent.clone()), deadline).await {
                // Certain that nothing was opened, so this is no repetition: apps not made for TVs have the other category.
                Err(TvError::Refused { error: BridgeError::NothingHandlesIt, .. }) => {
                    lane.ask_within_turn(&Command::Launch(as_phone_app.clone()), deadline).await?;
                    Ok(Launched { intent: as_phone_app })
                }
                outcome => outcome.map(|_| Launched { intent }),
            }
        })
    }
}

impl Handle<ListApps> for TvActor {
    fn handle(&mut self, _: ListApps, call: CallInfo) -> Answer<Self, Result<AppList, TvError>> {
        self.ask(Command::ListApps, call, payload::apps)
    }
}

impl Handle<ObserveScreen> for TvActor {
    fn handle(&mut self, _: ObserveScreen, call: CallInfo) -> Answer<Self, Result<ScreenObservation, TvError>> {
        self.run(call, async move |lane, place, deadline| {
            let command = Command::Observe;
            let mut reply = lane.ask(place, &command, deadline).await;
            if reply.as_ref().is_err_and(is_worth_another_look) && deadline.remaining() > 2 * BEFORE_SECOND_LOOK {
                tokio::time::sleep(BEFORE_SECOND_LOOK).await;
                reply = lane.ask(lane.line_up(), &command, deadline).await;
            }
            read(lane, &command, &reply?, payload::observation)
        })
    }
}

impl Handle<GetPlayback> for TvActor {
    fn handle(&mut self, _: GetPlayback, call: CallInfo) -> Answer<Self, Result<Playback, TvError>> {
        self.ask(Command::GetPlayback, call, payload::playback)
    }
}

impl Handle<ControlPlayback> for TvActor {
    fn handle(&mut self, order: ControlPlayback, call: CallInfo) -> Answer<Self, Result<Playback, TvError>> {
        let command = match order.action {
            PlaybackAction::Pause => Command::Pause,
            PlaybackAction::Resume => Command::Resume,
            PlaybackAction::SeekTo(position_ms) => Command::SeekTo(position_ms),
            PlaybackAction::SeekBy(delta_ms) => Command::SeekBy(delta_ms),
        };
        self.ask(command, call, payload::playback)
    }
}

impl Handle<GetVolume> for TvActor {
    fn handle(&mut self, _: GetVolume, call: CallInfo) -> Answer<Self, Result<Volume, TvError>> {
        self.ask(Command::GetVolume, call, payload::volume)
    }
}

impl Handle<SetVolume> for TvActor {
    fn handle(&mut self, order: SetVolume, call: CallInfo) -> Answer<Self, Result<Volume, TvError>> {
        let level = order.level.map(Command::SetVolume);
        let muted = order.muted.map(|muted| if muted { Command::Mute } else { Command::Unmute });
        let commands: Vec<Command> = level.into_iter().chain(muted).collect();
        self.run(call, async move |lane, place, deadline| {
            match ask_all(lane, place, deadline, &commands, payload::volume).await? {
                Some(volume) => Ok(volume),
                None => {
                    let reply = lane.ask(lane.line_up(), &Command::GetVolume, deadline).await?;
                    read(lane, &Command::GetVolume, &reply, payload::volume)
                }
            }
        })
    }
}

impl Handle<SetCaptions> for TvActor {
    fn handle(&mut self, order: SetCaptions, call: CallInfo) -> Answer<Self, Result<Captions, TvError>> {
        let switch = if order.enabled.unwrap_or(true) { Command::CaptionsOn } else { Command::CaptionsOff };
        let language = order.language.filter(|_| order.enabled != Some(false)).map(Command::CaptionsLanguage);
        let Some(language) = language else { return self.ask(switch, call, payload::captions) };
        self.run(call, async move |lane, place, deadline| {
            let _turn = lane.turn(place, deadline).await?;
            lane.ask_within_turn(&switch, deadline).await?;
            let reply = lane.ask_within_turn(&language, deadline).await?;
            read(lane, &language, &reply, payload::captions)
        })
    }
}

impl Handle<TypeText> for TvActor {
    fn handle(&mut self, order: TypeText, call: CallInfo) -> Answer<Self, Result<TypeResult, TvError>> {
        self.ask(Command::TypeText(order.text), call, payload::typed)
    }
}

impl Handle<MakeGesture> for TvActor {
    fn handle(&mut self, order: MakeGesture, call: CallInfo) -> Answer<Self, Result<(), TvError>> {
        let command = match order.gesture {
            Gesture::Tap { x, y } => Command::Tap(x, y),
            Gesture::Swipe(direction) => Command::Swipe(direction),
        };
        self.order(command, call)
    }
}

impl Handle<ShowSubtitle> for TvActor {
    fn handle(&mut self, order: ShowSubtitle, call: CallInfo) -> Answer<Self, Result<(), TvError>> {
        let seconds = order.seconds.clamp(1, MAX_SUBTITLE_SECONDS);
        let command = Command::ShowSubtitle(order.line);
        self.run(call, async move |lane, place, deadline| {
            // Before it is shown: whatever happens to this call, the line will be taken away.
            overlay::take_away_after(
                &lane.context.services.links,
                lane.context.tv,
                Duration::from_secs(seconds.into()),
            );
            lane.ask(place, &command, deadline).await.map(|_| ())
        })
    }
}

impl Handle<ClearSubtitle> for TvActor {
    fn handle(&mut self, _: ClearSubtitle, call: CallInfo) -> Answer<Self, Result<(), TvError>> {
        self.run(call, async move |lane, place, deadline| {
            lane.ask(place, &Command::ClearSubtitle, deadline).await?;
            lane.context.services.links.overlays().forget(lane.context.tv);
            Ok(())
        })
    }
}
