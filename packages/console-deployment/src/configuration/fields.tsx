import { useState } from 'react';
import type { ConfigEntry } from '@sluice/client';
import { fieldText, fieldValue, ruleText } from '@sluice/console-core/lib/config-values.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import styles from './configuration.module.css';

interface EntryFieldProps {
  entry: ConfigEntry;
  value: unknown;
  onChange: (value: unknown) => void;
  /** what the API has said of it */
  error: string | undefined;
}

const unset = 'unset';

/** One value of a configuration. Empty means: as the product has it, which is shown in the empty field. */
export function EntryField(props: EntryFieldProps) {
  const { entry, value, onChange, error } = props;
  const { kind, name, rules } = entry;
  const words =
    kind === 'bool' ? ['true', 'false'] : (rules.find(({ rule }) => rule === 'one_of')?.values ?? []);
  if (kind !== 'bool' && (kind !== 'enum' || words.length === 0)) return <EntryText {...props} />;
  const labelOf = (word: string) => (kind === 'bool' ? (word === 'true' ? 'On' : 'Off') : word);
  const { default_value: standard } = entry;
  return (
    <Select
      label={name}
      description={<About entry={entry} />}
      error={error}
      options={[
        {
          key: unset,
          label: standard === null ? 'Not set' : `Default: ${labelOf(String(standard))}`,
        },
        ...words.map((key) => ({ key, label: labelOf(key) })),
      ]}
      value={value === undefined || value === null ? unset : fieldText(value)}
      onChange={(key) =>
        onChange(key === null || key === unset ? undefined : kind === 'bool' ? key === 'true' : key)
      }
    />
  );
}

function EntryText({ entry, value, onChange, error }: EntryFieldProps) {
  const { kind, name, default_value: standard, rules } = entry;
  // what is typed stays, such as the line that a list is going to have, until another value comes from elsewhere
  const [typed, setTyped] = useState(() => fieldText(value));
  const isSame = JSON.stringify(fieldValue(entry, typed)) === JSON.stringify(value ?? undefined);
  const text = isSame ? typed : fieldText(value);
  return (
    <TextField
      label={name}
      description={<About entry={entry} />}
      error={error}
      isRequired={rules.some(({ rule }) => rule === 'required')}
      validationBehavior="aria"
      placeholder={standard === null ? '' : fieldText(standard)}
      isMono={kind !== 'string'}
      {...(kind === 'secret' && { type: 'password', autoComplete: 'new-password' })}
      {...(kind === 'list' && { rows: 2 })}
      value={text}
      onChange={(next) => {
        setTyped(next);
        onChange(fieldValue(entry, next));
      }}
    />
  );
}

function About({ entry: { description, kind, rules, requirements, secret, key } }: { entry: ConfigEntry }) {
  const said = [description, ruleText(rules, kind), ...requirements.map((one) => `Needs ${one}`)];
  const text = said
    .filter((one): one is string => one !== undefined && one !== '')
    .map((one) => one.charAt(0).toUpperCase() + one.slice(1).replace(/\.$/, ''))
    .join('. ');
  return (
    <span title={key}>
      {text}.{kind === 'list' && ' One per line.'}
      {secret && (
        <>
          {' '}
          <code>***</code> keeps the one that is stored.
        </>
      )}
    </span>
  );
}

/** What this product cannot do, with what it would take. */
export function Unavailable({ entries }: { entries: readonly ConfigEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <details className={styles.unavailable}>
      <summary>Not available here: {entries.map(({ name }) => name.toLowerCase()).join(', ')}</summary>
      <dl>
        {entries.map(({ key, name, description, requirements }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>
              {description}. It needs {requirements.join('; ')}.
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
