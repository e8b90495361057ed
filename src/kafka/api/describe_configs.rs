//! DescribeConfigs (32), versions 1-4. v1 synonyms, v3 types and documentation, v4 flexible.

use super::first_error;
use super::visit::{Visit, Visited, Visitor, int, nullable_array, nullable_text, structs, text};
use crate::kafka::error::ErrorCode;
use std::rc::Rc;

/// Asks how topics or brokers are configured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsRequest {
    /// Of whom.
    pub resources: Vec<DescribeConfigsResource>,
    /// The engine knows no synonyms and never says.
    pub include_synonyms: bool,
    /// The engine has no documentation and never says (v3).
    pub include_documentation: bool,
}

/// One topic or broker.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsResource {
    /// 2: a topic, 4: a broker.
    pub resource_type: i8,
    /// The topic's name, or the broker's id.
    pub resource_name: Rc<str>,
    /// Only these. `None`: all.
    pub configuration_keys: Option<Vec<Rc<str>>>,
}

/// What was asked for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsResponse {
    /// In the order of the request.
    pub results: Vec<DescribeConfigsResult>,
}

/// How one resource is configured.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsResult {
    /// Whether and why it failed.
    pub error_code: ErrorCode,
    /// The failure in words.
    pub error_message: Option<Rc<str>>,
    /// As in the request.
    pub resource_type: i8,
    /// As in the request.
    pub resource_name: Rc<str>,
    /// By name.
    pub configs: Vec<DescribeConfigsResourceResult>,
}

/// One configuration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsResourceResult {
    /// Its dotted name.
    pub name: Rc<str>,
    /// Its value.
    pub value: Option<Rc<str>>,
    /// Whether it cannot be changed while the broker runs.
    pub read_only: bool,
    /// 1: the topic's own, 4: the broker's properties, 5: the default.
    pub config_source: i8,
    /// Whether it is a secret.
    pub is_sensitive: bool,
    /// Where else a value could come from, first the one that counts.
    pub synonyms: Vec<DescribeConfigsSynonym>,
    /// 1: BOOLEAN, 2: STRING, 3: INT, 5: LONG, 7: LIST (v3).
    pub config_type: i8,
    /// What it is for (v3).
    pub documentation: Option<Rc<str>>,
}

/// A place where a value stands.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DescribeConfigsSynonym {
    /// Dotted name there.
    pub name: Rc<str>,
    /// Value there.
    pub value: Option<Rc<str>>,
    /// As [`DescribeConfigsResourceResult::config_source`].
    pub source: i8,
}

impl DescribeConfigsResponse {
    pub(super) fn first_error(&self) -> ErrorCode {
        first_error(self.results.iter().map(|result| result.error_code))
    }
}

impl Visit for DescribeConfigsRequest {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        structs(v, "resources", &mut self.resources)?;
        int(v, "include_synonyms", &mut self.include_synonyms)?;
        if v.version() >= 3 {
            int(v, "include_documentation", &mut self.include_documentation)?;
        }
        Ok(())
    }
}

impl Visit for DescribeConfigsResource {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "resource_type", &mut self.resource_type)?;
        text(v, "resource_name", &mut self.resource_name)?;
        let keys = &mut self.configuration_keys;
        nullable_array(v, "configuration_keys", keys, |key, v| text(v, "key", key))
    }
}

impl Visit for DescribeConfigsResponse {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        v.throttle_time_ms()?;
        structs(v, "results", &mut self.results)
    }
}

impl Visit for DescribeConfigsResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        int(v, "error_code", &mut self.error_code)?;
        nullable_text(v, "error_message", &mut self.error_message)?;
        int(v, "resource_type", &mut self.resource_type)?;
        text(v, "resource_name", &mut self.resource_name)?;
        structs(v, "configs", &mut self.configs)
    }
}

impl Visit for DescribeConfigsResourceResult {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        nullable_text(v, "value", &mut self.value)?;
        int(v, "read_only", &mut self.read_only)?;
        int(v, "config_source", &mut self.config_source)?;
        int(v, "is_sensitive", &mut self.is_sensitive)?;
        structs(v, "synonyms", &mut self.synonyms)?;
        if v.version() >= 3 {
            int(v, "config_type", &mut self.config_type)?;
            nullable_text(v, "documentation", &mut self.documentation)?;
        }
        Ok(())
    }
}

impl Visit for DescribeConfigsSynonym {
    fn visit(&mut self, v: &mut dyn Visitor) -> Visited {
        text(v, "name", &mut self.name)?;
        nullable_text(v, "value", &mut self.value)?;
        int(v, "source", &mut self.source)
    }
}
