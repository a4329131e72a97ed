import type { ConfigEntry, ConfigSchema } from '@sluice/client';
import {
  fieldText,
  valueAt,
  withValue,
  type ConfigValues,
  type ValuePath,
} from '@sluice/console-core/lib/config-values.ts';
import { Button, IconButton } from '@sluice/ui/button.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { CloseIcon, PlusIcon } from '@sluice/ui/icons.tsx';
import layout from '@sluice/ui/layout.module.css';
import { EntryField, Unavailable } from './fields.tsx';
import { brokerKind } from './kinds.ts';
import styles from './configuration.module.css';

interface ConfigFormProps {
  kind: string;
  schema: ConfigSchema;
  values: ConfigValues;
  onChange: (values: ConfigValues) => void;
  /** what the API has said, by the path of the value with slashes */
  errors: ReadonlyMap<string, string>;
}

/** The values of a configuration as a form that its schema makes. */
export function ConfigForm(props: ConfigFormProps) {
  return props.kind === brokerKind ? <BrokerForm {...props} /> : <ConnectorForm {...props} />;
}

function BrokerForm({ schema, ...props }: ConfigFormProps) {
  return Object.entries(schema).map(([key, { name, description, schema: entries }]) => (
    <Card key={key} title={name}>
      <p className={styles.about}>{description}.</p>
      <Entries entries={entries} at={[]} {...props} />
    </Card>
  ));
}

const pluginBlock = 'plugin_config';

function ConnectorForm({ schema, ...props }: ConfigFormProps) {
  const { values, onChange } = props;
  const base = Object.entries(schema).find(([key]) => key !== pluginBlock)?.[1];
  const isOfStream = ({ key }: ConfigEntry) => key !== 'enabled';
  const streams = Array.isArray(values['streams']) ? (values['streams'] as ConfigValues[]) : [];
  return (
    <>
      <Card title="Work">
        <Entries entries={base?.schema.filter((entry) => !isOfStream(entry)) ?? []} at={[]} {...props} />
      </Card>
      {Object.entries(schema)
        .filter(([key]) => key === pluginBlock)
        .map(([key, { schema: entries }]) => (
          <Card key={key} title="Connector">
            <Entries entries={entries} at={[key]} {...props} />
          </Card>
        ))}
      <Card
        title="Streams"
        actions={
          <Button
            size="small"
            icon={<PlusIcon />}
            onPress={() => onChange({ ...values, streams: [...streams, {}] })}
          >
            Add a stream
          </Button>
        }
      >
        {streams.length === 0 && <p className={styles.about}>It has no stream yet.</p>}
        {streams.map((stream, index) => (
          <fieldset key={index} className={styles.stream}>
            <legend>
              {fieldText(stream['stream']) || `Stream ${index + 1}`}
              <IconButton
                size="small"
                label={`Remove stream ${index + 1}`}
                icon={<CloseIcon />}
                onPress={() => onChange({ ...values, streams: streams.filter((_, at) => at !== index) })}
              />
            </legend>
            <Entries entries={base?.schema.filter(isOfStream) ?? []} at={['streams', index]} {...props} />
          </fieldset>
        ))}
      </Card>
      <p className={layout.muted}>Transforms are edited as JSON.</p>
    </>
  );
}

function Entries({
  entries,
  at,
  values,
  onChange,
  errors,
}: Omit<ConfigFormProps, 'schema' | 'kind'> & { entries: readonly ConfigEntry[]; at: ValuePath }) {
  return (
    <>
      <div className={styles.fields}>
        {entries
          .filter(({ editable }) => editable)
          .map((entry) => {
            const path = [...at, entry.key];
            return (
              <EntryField
                key={entry.key}
                entry={entry}
                value={valueAt(values, path)}
                onChange={(value) => onChange(withValue(values, path, value))}
                error={errors.get(path.join('/'))}
              />
            );
          })}
      </div>
      <Unavailable entries={entries.filter(({ editable }) => !editable)} />
    </>
  );
}
