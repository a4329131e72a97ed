import { useState } from 'react';
import { Button } from '@sluice/ui/button.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { Popover } from '@sluice/ui/menu.tsx';
import { usePreferences } from '@sluice/ui/lib/use-preferences.ts';
import { exactTime } from '@sluice/ui/lib/time.ts';
import layout from '@sluice/ui/layout.module.css';
import type { LogFilter } from './entries.ts';
import styles from './audit.module.css';

const hour = 3_600_000;
const spans = [
  ['The last hour', hour],
  ['The last 24 hours', 24 * hour],
  ['The last 7 days', 7 * 24 * hour],
  ['The last 30 days', 30 * 24 * hour],
] as const;

type Range = Pick<LogFilter, 'after' | 'before'>;

/** A choice of time: from one moment on, until another, or both. */
export function TimeFilter({ after, before, onChange }: Range & { onChange: (range: Range) => void }) {
  const { zone } = usePreferences();
  const shown = (at: string) => exactTime(new Date(at), zone).slice(0, 16);
  const text =
    after && before
      ? `${shown(after)} to ${shown(before)}`
      : after
        ? `Since ${shown(after)}`
        : before
          ? `Until ${shown(before)}`
          : 'Any time';
  return (
    <Popover label="Time" placement="bottom start" trigger={<Button>{text}</Button>}>
      {(close) => (
        <RangeForm
          {...{ after, before }}
          onChange={(range) => {
            onChange(range);
            close();
          }}
        />
      )}
    </Popover>
  );
}

/** A time as a field of the browser has it, in the zone of the browser. */
const fieldOf = (at: string | undefined) => {
  if (at === undefined) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const timeOf = (field: string) => (field === '' ? undefined : new Date(field).toISOString());

function RangeForm({ after, before, onChange }: Range & { onChange: (range: Range) => void }) {
  const [from, setFrom] = useState(fieldOf(after));
  const [to, setTo] = useState(fieldOf(before));
  const isReversed = from !== '' && to !== '' && from >= to;
  return (
    <form
      className={styles.range}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReversed) onChange({ after: timeOf(from), before: timeOf(to) });
      }}
    >
      <div className={layout.row}>
        {spans.map(([name, length]) => (
          <Button
            key={name}
            size="small"
            onPress={() =>
              onChange({ after: new Date(Date.now() - length).toISOString(), before: undefined })
            }
          >
            {name}
          </Button>
        ))}
      </div>
      <TextField label="After" type="datetime-local" value={from} onChange={setFrom} />
      <TextField
        label="Before"
        type="datetime-local"
        value={to}
        onChange={setTo}
        error={isReversed ? 'It is not later than the beginning.' : undefined}
      />
      <div className={layout.row}>
        <Button type="submit" kind="primary" size="small">
          Apply
        </Button>
        <Button size="small" onPress={() => onChange({ after: undefined, before: undefined })}>
          Any time
        </Button>
      </div>
    </form>
  );
}
