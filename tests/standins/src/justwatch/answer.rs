//! Answers an operation: exactly the fields that were asked for, and errors for what cannot be.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{
    graphql::{Field, Operation, Selection},
    node::Node,
    schema::{self, Type},
};
use crate::{loopback::RequestViolation, titles::has_words};

/// More titles with all their offers are refused.
const MOST_TITLES_WITH_OFFERS: i64 = 90;

/// One operation on its way to an answer.
pub(super) struct Answering<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) packages: &'a [Value],
    pub(super) variables: &'a Map<String, Value>,
    /// Said in `errors`; data is null then.
    pub(super) errors: Vec<String>,
    pub(super) violations: Vec<RequestViolation>,
}

impl Answering<'_> {
    /// The body of the answer.
    pub(super) fn answer(&mut self, operation: &Operation) -> Value {
        self.refuse_what_is_too_complex(&operation.selections);
        let mut data = Map::new();
        if self.errors.is_empty() {
            for field in self.fields(Type::Query, &operation.selections) {
                let value = match field.name.as_str() {
                    "popularTitles" => self.titles(field),
                    "node" => self.node_by_id(field),
                    "packages" => self.packages(field),
                    _ => json!("Query"),
                };
                data.insert(field.key.clone(), value);
            }
        }
        if self.errors.is_empty() {
            return json!({ "data": data });
        }
        let errors: Vec<Value> = self.errors.iter().map(|message| json!({ "message": message, "path": [] })).collect();
        json!({ "errors": errors, "data": null })
    }

    fn refuse_what_is_too_complex(&mut self, selections: &[Selection]) {
        for title_search in find_fields(selections, "popularTitles") {
            if !find_fields(&title_search.selections, "episodes").is_empty() {
                self.too_complex("episodes inside a search; ask for a season's on their own");
            }
            let first = self.argument(title_search, "first").as_i64().unwrap_or(10);
            if first >= MOST_TITLES_WITH_OFFERS && !find_fields(&title_search.selections, "offers").is_empty() {
                self.too_complex(&format!("the offers of {first} titles at once"));
            }
        }
        for seasons in find_fields(selections, "seasons") {
            // Nobody is known to ask so, and a stand-in should not allow more than the service is known to.
            if !find_fields(&seasons.selections, "episodes").is_empty() {
                self.too_complex("the episodes of all seasons at once");
            }
        }
    }

    fn too_complex(&mut self, reason: &str) {
        self.errors.push(format!("operation has complexity that exceeds the limit: {reason}"));
        self.violations.push(RequestViolation::TooComplex { reason: reason.to_owned() });
    }

    fn wrong(&mut self, reason: String) {
        self.errors.push(reason.clone());
        self.violations.push(RequestViolation::Query { reason });
    }

    /// What to fill in of a type: its own fields, and those of fragments that speak of it.
    fn fields<'q>(&mut self, of: Type, selections: &'q [Selection]) -> Vec<&'q Field> {
        let mut fields = Vec::new();
        for selection in selections {
            match selection {
                Selection::Field(field) if of.has(&field.name) => fields.push(field),
                Selection::Field(field) => {
                    self.wrong(format!("Cannot query field \"{}\" on type \"{}\".", field.name, of.name()));
                }
                Selection::On { type_name, selections } => match of.is_a(type_name) {
                    None => self.wrong(format!("Unknown type \"{type_name}\".")),
                    Some(true) => fields.extend(self.fields(of, selections)),
                    Some(false) => {}
                },
            }
        }
        fields
    }

    fn argument(&self, field: &Field, name: &str) -> Value {
        field.argument(name).map(|argument| argument.value(self.variables)).unwrap_or_default()
    }

    /// A country as an argument; an error where it is none or not served.
    fn country(&mut self, field: &Field) -> String {
        let country = self.argument(field, "country");
        let text = country.as_str().unwrap_or("").to_owned();
        if !schema::is_country(&text) {
            self.wrong(format!("Expected value of type \"Country!\" for `{}`, found {country}.", field.name));
        } else if !schema::is_served(&text) {
            // Well formed, so nothing that a client could know beforehand.
            self.errors.push(format!("country {text} is not supported"));
        }
        text
    }

    fn titles(&mut self, search: &Field) -> Value {
        let country = self.country(search);
        let filter = self.argument(search, "filter");
        let first = self.argument(search, "first").as_u64().unwrap_or(10) as usize;
        let offset = self.argument(search, "offset").as_u64().unwrap_or(0) as usize;
        let mut found: Vec<&Node> = self.nodes.iter().filter(|node| is_found(node, &filter, &country)).collect();
        found.sort_by(|one, other| other.popularity.total_cmp(&one.popularity));
        let n_found = found.len();
        let page: Vec<&Node> = found.into_iter().skip(offset).take(first).collect();
        let mut titles = Map::new();
        for field in self.fields(Type::Titles, &search.selections) {
            let value = match field.name.as_str() {
                "edges" => page.iter().map(|node| self.edge(node, field)).collect(),
                "totalCount" => json!(n_found),
                "pageInfo" => {
                    let has_next = offset + page.len() < n_found;
                    self.pick(&json!({ "hasNextPage": has_next, "hasPreviousPage": offset > 0 }), Type::PageInfo, field)
                }
                _ => json!(Type::Titles.name()),
            };
            titles.insert(field.key.clone(), value);
        }
        Value::Object(titles)
    }

    fn edge(&mut self, node: &Node, edge: &Field) -> Value {
        let mut written = Map::new();
        for field in self.fields(Type::TitleEdge, &edge.selections) {
            let value = match field.name.as_str() {
                "node" => self.node(node, Type::of_object(&node.object_type), &field.selections),
                "cursor" => json!(node.id),
                _ => json!(Type::TitleEdge.name()),
            };
            written.insert(field.key.clone(), value);
        }
        Value::Object(written)
    }

    fn node_by_id(&mut self, field: &Field) -> Value {
        let id = self.argument(field, "id");
        let id = id.as_str().unwrap_or("");
        let is_id = ["tm", "tss", "tse", "ts"].into_iter().any(|prefix| {
            id.strip_prefix(prefix)
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        });
        if !is_id {
            self.wrong(format!("`{id}` is no id of a movie, show, season or episode"));
        }
        // Only a fragment can ask for more than the id.
        for selection in &field.selections {
            if let Selection::Field(asked) = selection
                && !Type::Node.has(&asked.name)
            {
                self.wrong(format!("Cannot query field \"{}\" on type \"Node\".", asked.name));
            }
        }
        let Some(node) = self.nodes.iter().find_map(|node| node.find(id)) else { return Value::Null };
        if self.errors.is_empty() {
            self.node(node, Type::of_object(&node.object_type), &field.selections)
        } else {
            Value::Null
        }
    }

    fn node(&mut self, node: &Node, of: Type, selections: &[Selection]) -> Value {
        let mut written = Map::new();
        for field in self.fields(of, selections) {
            let value = match field.name.as_str() {
                "id" => json!(node.id),
                "objectId" => json!(node.id.trim_start_matches(char::is_alphabetic).parse::<u64>().ok()),
                "objectType" => json!(node.object_type),
                "content" => self.content(node, field),
                "offers" => self.offers(node, field),
                "seasons" => self.parts(node, Type::Season, field),
                "episodes" => self.parts(node, Type::Episode, field),
                _ => json!(of.name()),
            };
            written.insert(field.key.clone(), value);
        }
        Value::Object(written)
    }

    fn parts(&mut self, node: &Node, of: Type, field: &Field) -> Value {
        node.parts.iter().map(|part| self.node(part, of, &field.selections)).collect()
    }

    fn content(&mut self, node: &Node, field: &Field) -> Value {
        self.country(field);
        let language = self.argument(field, "language");
        let language = language.as_str().unwrap_or("");
        if !schema::is_language(language) {
            self.wrong(format!("Expected value of type \"Language!\", found \"{language}\"."));
        }
        let mut content = node.content.clone();
        if let Some(title) = language.get(..2).and_then(|language| node.translated.get(language)) {
            content["title"] = json!(title);
        }
        self.pick(&content, Type::Content, field)
    }

    fn offers(&mut self, node: &Node, field: &Field) -> Value {
        let country = self.country(field);
        let platform = self.argument(field, "platform");
        if platform == "WEB" {
            // An answer, but not to the question what a television can open.
            let reason = "offers for platform WEB, not ANDROID_TV".to_owned();
            self.violations.push(RequestViolation::Query { reason });
        } else if platform != "ANDROID_TV" {
            self.wrong(format!("Expected value of type \"Platform!\" for `offers`, found {platform}."));
        }
        let filter = self.argument(field, "filter");
        let offers = node.offers.get(&country).map(|offers| filtered(offers, &filter)).unwrap_or_default();
        offers.iter().map(|offer| self.pick(offer, Type::Offer, field)).collect()
    }

    fn packages(&mut self, field: &Field) -> Value {
        self.country(field);
        let packages = self.packages;
        packages.iter().map(|package| self.pick(package, Type::Package, field)).collect()
    }

    /// The fields asked for of something that is JSON already; null for one that it lacks.
    fn pick(&mut self, value: &Value, of: Type, asked: &Field) -> Value {
        if let Value::Array(entries) = value {
            return entries.iter().map(|entry| self.pick(entry, of, asked)).collect();
        }
        let fields = self.fields(of, &asked.selections);
        if value.is_null() {
            return Value::Null;
        }
        let mut picked = Map::new();
        for field in fields {
            let known = value.get(&field.name).cloned().unwrap_or_default();
            let value = match (of.of_field(&field.name), &*field.name) {
                (Some(inner), _) => self.pick(&known, inner, field),
                (None, "deeplinkURL") if self.argument(field, "platform") != "ANDROID_TV" => {
                    let reason = "deeplinkURL without platform ANDROID_TV".to_owned();
                    self.violations.push(RequestViolation::Query { reason });
                    Value::Null
                }
                _ => known,
            };
            picked.insert(field.key.clone(), value);
        }
        Value::Object(picked)
    }
}

/// Every field of this name, however deep, with those inside fragments.
fn find_fields<'q>(selections: &'q [Selection], name: &str) -> Vec<&'q Field> {
    let mut found = Vec::new();
    for selection in selections {
        let inner = match selection {
            Selection::Field(field) => {
                found.extend((field.name == name).then_some(field));
                &field.selections
            }
            Selection::On { selections, .. } => selections,
        };
        found.extend(find_fields(inner, name));
    }
    found
}

fn is_found(node: &Node, filter: &Value, country: &str) -> bool {
    let words = filter["searchQuery"].as_str().unwrap_or("");
    let types = filter["objectTypes"].as_array();
    let year = |bound: &str| filter["releaseYear"][bound].as_i64();
    let has_year = |fits: &dyn Fn(i64) -> bool| node.year().is_some_and(fits);
    (words.is_empty() || node.names.iter().any(|name| has_words(name, words)))
        && types.is_none_or(|types| types.is_empty() || types.iter().any(|of| *of == *node.object_type))
        && year("min").is_none_or(|min| has_year(&|year| year >= min))
        && year("max").is_none_or(|max| has_year(&|year| year <= max))
        && known_packages(&filter["packages"]).is_none_or(|wanted| {
            node.offers.get(country).is_some_and(|offers| offers.iter().any(|offer| is_of(offer, &wanted)))
        })
}

fn filtered(offers: &[Value], filter: &Value) -> Vec<Value> {
    let is_among = |offer: &Value, field: &str, list: &str| {
        filter[list].as_array().is_none_or(|wanted| wanted.is_empty() || wanted.contains(&offer[field]))
    };
    let wanted = known_packages(&filter["packages"]);
    let mut fitting: Vec<Value> = offers
        .iter()
        .filter(|offer| is_among(offer, "monetizationType", "monetizationTypes"))
        .filter(|offer| is_among(offer, "presentationType", "presentationTypes"))
        .filter(|offer| wanted.as_ref().is_none_or(|wanted| is_of(offer, wanted)))
        .cloned()
        .collect();
    if filter["bestOnly"] == true {
        let mut seen = BTreeSet::new();
        // One for each service and sort of terms; what names neither is not told apart.
        fitting.retain(|offer| {
            let package = &offer["package"]["packageId"];
            package.is_null() || seen.insert((package.to_string(), offer["monetizationType"].to_string()))
        });
    } else {
        fitting = fitting.iter().flat_map(in_every_quality).collect();
    }
    fitting
}

/// Without `bestOnly` the same link comes again for each quality.
fn in_every_quality(offer: &Value) -> Vec<Value> {
    if offer["presentationType"] != "HD" {
        return vec![offer.clone()];
    }
    let in_quality = |quality: &str| {
        let mut offer = offer.clone();
        offer["presentationType"] = json!(quality);
        offer
    };
    ["SD", "HD", "_4K"].map(in_quality).to_vec()
}

/// The packages of a filter; `None` means no filter, which is also what a code that is not known in the country comes to.
fn known_packages(packages: &Value) -> Option<Vec<String>> {
    let codes: Vec<String> = packages.as_array()?.iter().filter_map(|code| code.as_str().map(str::to_owned)).collect();
    const KNOWN: &str =
        "nfx nfa dnp amp prv pva aim mxx hlu atp ppp ppe pmp pct pcp fuv yfr ytr yot ytt aho app ppa avl amz itu fad";
    let all_known = codes.iter().all(|code| KNOWN.split(' ').any(|known| known == code));
    (!codes.is_empty() && all_known).then_some(codes)
}

fn is_of(offer: &Value, packages: &[String]) -> bool {
    offer["package"]["shortName"].as_str().is_some_and(|code| packages.iter().any(|known| known == code))
}
