import { useMemo } from 'react';
import { Button } from '@sluice/ui/button.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { formatBytes, formatCount } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import { mostOfRun, type Run } from '../broker/publish.ts';
import { drawn } from '../lib/payload.ts';
import { messageOf, placeholders, type Template } from '../lib/template.ts';
import styles from './streams.module.css';

export interface ManyForm {
  count: string;
  perSecond: string;
  /** by which the template is kept */
  name: string;
}

const numberOf = (text: string, most: number): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

/** @param size of the first message. @returns undefined where the form has issues */
export function runOf(form: ManyForm, size: number): Run | undefined {
  const count = numberOf(form.count, mostOfRun.messages);
  const perSecond = numberOf(form.perSecond, mostOfRun.perSecond);
  if (count === undefined || perSecond === undefined || count * size > mostOfRun.bytes) return undefined;
  return { count, perSecond };
}

interface ManyFieldsProps {
  form: ManyForm;
  onChange: (form: ManyForm) => void;
  template: Template;
  /** whether the template has no issues */
  isFit: boolean;
  size: number;
  /** keeps the template by the form's name; undefined where it cannot be kept */
  onKeep: (() => void) | undefined;
}

/** How many messages of a template there are to be, how fast, and how the first one looks. */
export function ManyFields({ form, onChange, template, isFit, size, onKeep }: ManyFieldsProps) {
  const set = (part: Partial<ManyForm>) => onChange({ ...form, ...part });
  const issueOf = (text: string, most: number) =>
    numberOf(text, most) === undefined ? `From 1 to ${formatCount(most)}.` : undefined;
  const first = useMemo(() => (isFit ? messageOf(template, 0) : undefined), [isFit, template]);
  return (
    <>
      <p className={layout.muted}>Subject, headers and payload can have {placeholders}.</p>
      <div className={layout.pair}>
        <TextField
          label="Messages"
          value={form.count}
          onChange={(count) => set({ count })}
          error={issueOf(form.count, mostOfRun.messages)}
        />
        <TextField
          label="Per second"
          value={form.perSecond}
          onChange={(perSecond) => set({ perSecond })}
          error={issueOf(form.perSecond, mostOfRun.perSecond)}
        />
      </div>
      {Number(form.count) * size > mostOfRun.bytes && (
        <Note>Together they may have {formatBytes(mostOfRun.bytes)} at most.</Note>
      )}
      {first && (
        <pre className={styles.payload} tabIndex={0} aria-label="The first message">
          {[
            first.subject,
            ...first.headers.map(([name, value]) => `${name}: ${value}`),
            '',
            drawn({ data: first.data, size: first.data.length }, 'text').text,
          ].join('\n')}
        </pre>
      )}
      <TextField
        label="Name of the template"
        description="It is kept in this page until the session ends."
        value={form.name}
        onChange={(name) => set({ name })}
        maxLength={60}
        beside={
          <Button isDisabled={!onKeep || !isFit || form.name.trim() === ''} onPress={() => onKeep?.()}>
            Keep
          </Button>
        }
      />
    </>
  );
}
