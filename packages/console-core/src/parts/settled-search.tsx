import { useEffect, useRef, useState } from 'react';
import { useSettled } from '@sluice/ui/lib/settled.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { SearchField } from '@sluice/ui/field.tsx';

/** A search that the API makes: it is made once the person has stopped typing. */
export function SettledSearch({
  label,
  text,
  onChange,
}: {
  label: string;
  /** as it is searched for now */
  text: string;
  onChange: (text: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(text);
  const settled = useSettled(typed, 400);
  const field = useRef<HTMLInputElement>(null);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  });
  useEffect(() => {
    if (settled !== text && settled === typed) change.current(settled.slice(0, 200) || undefined);
  }, [settled, text, typed]);
  useShortcut('search', () => field.current?.focus());
  return <SearchField label={label} value={typed} onChange={setTyped} inputRef={field} />;
}
