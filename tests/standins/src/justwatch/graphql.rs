//! Reads as much of GraphQL as clients of JustWatch use: one operation with variables, aliases, arguments and inline fragments.

use serde_json::{Map, Value};

/// Deeper nesting is no question that anybody asks.
const MAX_DEPTH: usize = 24;

/// One `query NAME($variable: Type) { … }`.
#[derive(Debug, PartialEq)]
pub(super) struct Operation {
    pub(super) name: Option<String>,
    /// Name and type, as `("country", "Country!")`.
    pub(super) variables: Vec<(String, String)>,
    pub(super) selections: Vec<Selection>,
}

/// Something asked for.
#[derive(Debug, PartialEq)]
pub(super) enum Selection {
    Field(Field),
    /// `... on TYPE { … }`.
    On {
        type_name: String,
        selections: Vec<Selection>,
    },
}

#[derive(Debug, PartialEq)]
pub(super) struct Field {
    /// What it is called in the answer.
    pub(super) key: String,
    pub(super) name: String,
    pub(super) arguments: Vec<(String, Argument)>,
    pub(super) selections: Vec<Selection>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Argument {
    Variable(String),
    /// A number, text, truth value, null, or a word out of a fixed set as its text.
    Literal(Value),
    List(Vec<Argument>),
    Object(Vec<(String, Argument)>),
}

impl Operation {
    /// The variables that its arguments name.
    pub(super) fn used_variables(&self) -> Vec<&str> {
        used_in(&self.selections)
    }
}

fn used_in(selections: &[Selection]) -> Vec<&str> {
    let mut used = Vec::new();
    for selection in selections {
        let inner = match selection {
            Selection::Field(field) => {
                used.extend(field.arguments.iter().flat_map(|(_, argument)| argument.variables()));
                &field.selections
            }
            Selection::On { selections, .. } => selections,
        };
        used.extend(used_in(inner));
    }
    used
}

impl Argument {
    /// Its value; null for a variable that was not given.
    pub(super) fn value(&self, variables: &Map<String, Value>) -> Value {
        match self {
            Self::Variable(name) => variables.get(name).cloned().unwrap_or_default(),
            Self::Literal(value) => value.clone(),
            Self::List(entries) => entries.iter().map(|entry| entry.value(variables)).collect(),
            Self::Object(fields) => {
                Value::Object(fields.iter().map(|(name, field)| (name.clone(), field.value(variables))).collect())
            }
        }
    }

    /// The variables in it.
    pub(super) fn variables(&self) -> Vec<&str> {
        match self {
            Self::Variable(name) => vec![name],
            Self::Literal(_) => Vec::new(),
            Self::List(entries) => entries.iter().flat_map(Self::variables).collect(),
            Self::Object(fields) => fields.iter().flat_map(|(_, field)| field.variables()).collect(),
        }
    }
}

impl Field {
    pub(super) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, argument)| argument)
    }
}

/// Reads an operation. The error says what was expected where.
pub(super) fn parse(text: &str) -> Result<Operation, String> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0 };
    let mut operation = Operation { name: None, variables: Vec::new(), selections: Vec::new() };
    if reader.peek() != Some(&Token::Sign('{')) {
        match reader.word()?.as_str() {
            "query" => {}
            other => return Err(format!("`{other}` is not `query`")),
        }
        operation.name = reader.word_if_any();
        if reader.take('(') {
            while !reader.take(')') {
                operation.variables.push(reader.declaration()?);
            }
        }
    }
    operation.selections = reader.selections(0)?;
    match reader.peek() {
        None => Ok(operation),
        Some(token) => Err(format!("{token:?} after the end; named fragments and second operations are not read here")),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Sign(char),
    Word(String),
    Text(String),
    Number(Value),
    Spread,
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_whitespace() || first == ',' => first.len_utf8(),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '.' if rest.starts_with("...") => {
                tokens.push(Token::Spread);
                3
            }
            '{' | '}' | '(' | ')' | '[' | ']' | ':' | '$' | '!' | '=' => {
                tokens.push(Token::Sign(first));
                1
            }
            '"' => {
                let end = closing_quote(rest).ok_or("a text without its end")?;
                let text = serde_json::from_str(&rest[..=end]).map_err(|_| "a text that cannot be read")?;
                tokens.push(Token::Text(text));
                end + 1
            }
            '-' | '0'..='9' => {
                let length = rest.find(|c: char| !matches!(c, '-' | '.' | '0'..='9')).unwrap_or(rest.len());
                let number = serde_json::from_str(&rest[..length]).map_err(|_| "a number that cannot be read")?;
                tokens.push(Token::Number(number));
                length
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..length].to_owned()));
                length
            }
            other => return Err(format!("the sign `{other}`")),
        };
        rest = &rest[length..];
    }
    Ok(tokens)
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut is_escaped = true; // The opening quote closes nothing.
    text.char_indices().find_map(|(at, character)| match character {
        _ if is_escaped => {
            is_escaped = false;
            None
        }
        '\\' => {
            is_escaped = true;
            None
        }
        '"' => Some(at),
        _ => None,
    })
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(&Token::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(format!("`{sign}` expected, found {:?}", self.peek())) }
    }

    fn word_if_any(&mut self) -> Option<String> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        let word = word.clone();
        self.at += 1;
        Some(word)
    }

    fn word(&mut self) -> Result<String, String> {
        self.word_if_any().ok_or_else(|| format!("a name expected, found {:?}", self.peek()))
    }

    /// `$name: Type! = default`.
    fn declaration(&mut self) -> Result<(String, String), String> {
        self.expect('$')?;
        let name = self.word()?;
        self.expect(':')?;
        let type_name = self.type_name(0)?;
        if self.take('=') {
            self.argument(0)?;
        }
        Ok((name, type_name))
    }

    fn type_name(&mut self, depth: usize) -> Result<String, String> {
        let name = if depth < MAX_DEPTH && self.take('[') {
            let inner = self.type_name(depth + 1)?;
            self.expect(']')?;
            format!("[{inner}]")
        } else {
            self.word()?
        };
        Ok(if self.take('!') { name + "!" } else { name })
    }

    fn selections(&mut self, depth: usize) -> Result<Vec<Selection>, String> {
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} levels"));
        }
        self.expect('{')?;
        let mut selections = Vec::new();
        while !self.take('}') {
            selections.push(self.selection(depth)?);
        }
        if selections.is_empty() { Err("braces without a field".to_owned()) } else { Ok(selections) }
    }

    fn selection(&mut self, depth: usize) -> Result<Selection, String> {
        if self.peek() == Some(&Token::Spread) {
            self.at += 1;
            let word = self.word()?;
            if word != "on" {
                return Err(format!("`...{word}`; only inline fragments are read here"));
            }
            return Ok(Selection::On { type_name: self.word()?, selections: self.selections(depth + 1)? });
        }
        let key = self.word()?;
        let name = if self.take(':') { self.word()? } else { key.clone() };
        let mut arguments = Vec::new();
        if self.take('(') {
            while !self.take(')') {
                arguments.push(self.named_argument(depth)?);
            }
        }
        let has_more = self.peek() == Some(&Token::Sign('{'));
        let selections = if has_more { self.selections(depth + 1)? } else { Vec::new() };
        Ok(Selection::Field(Field { key, name, arguments, selections }))
    }

    fn named_argument(&mut self, depth: usize) -> Result<(String, Argument), String> {
        let name = self.word()?;
        self.expect(':')?;
        Ok((name, self.argument(depth + 1)?))
    }

    fn argument(&mut self, depth: usize) -> Result<Argument, String> {
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} levels"));
        }
        let token = self.peek().cloned().ok_or("a value expected at the end")?;
        self.at += 1;
        Ok(match token {
            Token::Sign('$') => Argument::Variable(self.word()?),
            Token::Sign('[') => {
                let mut entries = Vec::new();
                while !self.take(']') {
                    entries.push(self.argument(depth + 1)?);
                }
                Argument::List(entries)
            }
            Token::Sign('{') => {
                let mut fields = Vec::new();
                while !self.take('}') {
                    fields.push(self.named_argument(depth)?);
                }
                Argument::Object(fields)
            }
            Token::Text(text) => Argument::Literal(Value::String(text)),
            Token::Number(number) => Argument::Literal(number),
            Token::Word(word) => Argument::Literal(match word.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                "null" => Value::Null,
                _ => Value::String(word),
            }),
            other => return Err(format!("a value expected, found {other:?}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_question_is_read() {
        let text = r#"query Q($nodeId: ID!, $codes: [String!]!, $n: Int = 5) {
            node(id: $nodeId) { # a remark
              ... on Show { id
                US: offers(country: US, filter: { bestOnly: true, packages: ["nfx", $codes] }, first: 10) { type } } } }"#;
        let operation = parse(text).unwrap();
        assert_eq!(operation.name.as_deref(), Some("Q"));
        let declared = |name: &str, type_name: &str| (name.to_owned(), type_name.to_owned());
        assert_eq!(
            operation.variables,
            [declared("nodeId", "ID!"), declared("codes", "[String!]!"), declared("n", "Int")]
        );
        let [Selection::Field(node)] = &operation.selections[..] else { panic!("{operation:?}") };
        assert_eq!(node.argument("id"), Some(&Argument::Variable("nodeId".to_owned())));
        let [Selection::On { type_name, selections }] = &node.selections[..] else { panic!("{node:?}") };
        assert_eq!(type_name, "Show");
        let [Selection::Field(_), Selection::Field(offers)] = &selections[..] else { panic!("{selections:?}") };
        assert_eq!((&*offers.key, &*offers.name), ("US", "offers"));
        let filter = offers.argument("filter").unwrap();
        assert_eq!(filter.variables(), ["codes"]);
        let variables = Map::from_iter([("codes".to_owned(), json!("dnp"))]);
        assert_eq!(filter.value(&variables), json!({ "bestOnly": true, "packages": ["nfx", "dnp"] }));
    }

    #[test]
    fn what_is_no_question_says_why() {
        for (text, part) in [
            ("", "a name expected"),
            ("mutation { x }", "not `query`"),
            ("query { x", "a name expected"),
            ("query { }", "without a field"),
            ("query { ...Title }", "inline fragments"),
            ("query { x } fragment Y on Z { a }", "after the end"),
            ("query { x(a: \"b) }", "without its end"),
            ("query { x(a: ) }", "a value expected"),
            ("query { x & y }", "the sign `&`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(parse(&"{a".repeat(1000)).unwrap_err().contains("levels"));
    }
}
