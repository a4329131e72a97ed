import { useCallback, useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Structure } from '@sluice/client';
import { allows } from '@sluice/console-core/api/permissions.ts';
import { contextQuery, membersQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { useShortcut } from '@sluice/console-core/lib/shortcuts.ts';
import { ComboBox, type Option } from '@sluice/ui/choice.tsx';
import { SearchField } from '@sluice/ui/field.tsx';
import layout from '@sluice/ui/layout.module.css';
import type { LogFilter } from './entries.ts';
import { TimeFilter } from './time-filter.tsx';
import { typesQuery } from './use-log.ts';
import styles from './audit.module.css';

interface FiltersProps {
  tenantId: number;
  search: LogFilter;
  onChange: (changes: LogFilter) => void;
}

/** What the log is filtered by: words, type, person, place and time. */
export function Filters({ tenantId, search, onChange }: FiltersProps) {
  const { data: types } = useQuery(typesQuery);
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: context } = useQuery(contextQuery(tenantId));
  const mayRead =
    context !== undefined && allows(context.permissions, { scope: 'tenant', permission: 'member:read' });
  const { data: members } = useQuery({ ...membersQuery(tenantId), enabled: mayRead });
  const people = members?.items.map(({ id, name, email }) => ({
    key: String(id),
    label: name,
    note: email,
  }));
  const places = structure ? placesOf(structure) : [];
  const { division, environment, deployment } = search;
  const place = [division, environment, deployment].filter((one) => one !== undefined).join('/');
  return (
    <div className={layout.row}>
      <div className={styles.search}>
        <Words value={search.q ?? ''} onChange={(q) => onChange({ q: q === '' ? undefined : q })} />
      </div>
      <div className={styles.filter}>
        <ComboBox
          hideLabel
          label="Type"
          placeholder="Any type"
          options={types?.map(({ type, name }) => ({ key: type, label: name })) ?? []}
          value={types && search.type ? search.type : null}
          onChange={(type) => onChange({ type: type ?? undefined })}
        />
      </div>
      {(people || search.person !== undefined) && (
        <div className={styles.filter}>
          <ComboBox
            hideLabel
            label="Person"
            placeholder="Anybody"
            options={withChosen(people ?? [], search.person)}
            value={people && search.person !== undefined ? String(search.person) : null}
            onChange={(person) => onChange({ person: person === null ? undefined : Number(person) })}
          />
        </div>
      )}
      <div className={styles.filter}>
        <ComboBox
          hideLabel
          label="Place"
          placeholder="Anywhere"
          options={places}
          value={structure && place !== '' ? place : null}
          onChange={(key) => onChange(placeOfKey(key))}
        />
      </div>
      <TimeFilter after={search.after} before={search.before} onChange={onChange} />
    </div>
  );
}

/** A person who has left is filtered by as well. */
const withChosen = (people: readonly Option[], person: number | undefined): readonly Option[] =>
  person === undefined || people.some(({ key }) => key === String(person))
    ? people
    : [...people, { key: String(person), label: `Former member ${person}` }];

function placesOf(structure: Structure): Option[] {
  return structure.divisions.flatMap(({ id, name, environments }) => [
    { key: String(id), label: name },
    ...environments.flatMap((environment) => [
      { key: `${id}/${environment.id}`, label: `${name} / ${environment.name}` },
      ...environment.deployments.map((deployment) => ({
        key: `${id}/${environment.id}/${deployment.id}`,
        label: `${name} / ${environment.name} / ${deployment.name}`,
      })),
    ]),
  ]);
}

function placeOfKey(key: string | null): Pick<LogFilter, 'division' | 'environment' | 'deployment'> {
  const [division, environment, deployment] = key === null ? [] : key.split('/').map(Number);
  return { division, environment, deployment };
}

/** The words are taken once they have not changed for a while. */
function Words({ value, onChange }: { value: string; onChange: (words: string) => void }) {
  const [words, setWords] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useShortcut(
    'search',
    useCallback(() => field.current?.focus(), []),
  );
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  useEffect(() => setWords((before) => (before.trim() === value ? before : value)), [value]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (words.trim() !== latest.current.value) latest.current.onChange(words.trim().slice(0, 200));
    }, 250);
    return () => clearTimeout(timer);
  }, [words]);
  return <SearchField label="Search in names and types" value={words} onChange={setWords} inputRef={field} />;
}
