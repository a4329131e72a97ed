/**
 * Schemas of configurations as data (interface, 2.12): the settings of a broker product or a connector, how a value is written and
 * what it has to satisfy. The Supervisor API shows them and checks values by them; the programs on the node read by them.
 */

/**
 * How a value is written. `size` is a number of bytes, also with KiB, MiB, GiB or TiB; `duration` a number with ms, s, m, h or d;
 * `list` an array of strings; `secret` a string that is never shown.
 */
export const configKinds = ['bool', 'int', 'size', 'duration', 'string', 'enum', 'list', 'secret'] as const;
export type ConfigKind = (typeof configKinds)[number];

export type ConfigValue = string | number | boolean | readonly string[];

/** `min` and `max` are of the number, the bytes, the milliseconds; for text its length, for a list the number of its items. */
export type ConfigRule =
  | { rule: 'required' }
  | { rule: 'min'; value: number }
  | { rule: 'max'; value: number }
  | { rule: 'one_of'; values: readonly string[] }
  /** a regular expression that the whole value has to match */
  | { rule: 'pattern'; value: string }
  /** at most what the other key has */
  | { rule: 'at_most'; key: string };

export interface ConfigEntry {
  /** BROKER_<SECTION>_<NAME> for a broker, a name in lower case for a connector */
  key: string;
  name: string;
  description: string;
  /** what holds without a value; null: nothing, or the program's own choice */
  default_value: ConfigValue | null;
  kind: ConfigKind;
  editable: boolean;
  secret: boolean;
  /**
   * How two values are compared, if the value decides where the secrets of the schema are sent or how they are protected on the way. A
   * stored secret is kept only while all such values stay the same.
   */
  destination?: 'url' | 'host' | 'value';
  /** What has to be given for the value to have effect, in words: a restart, a broker product that can do it. */
  requirements: readonly string[];
  rules: readonly ConfigRule[];
}

export interface ConfigSection {
  name: string;
  description: string;
  schema: readonly ConfigEntry[];
}

/** by the section's key, such as `stream` or `plugin_config` */
export type ConfigSchema = Readonly<Record<string, ConfigSection>>;
