import { useEffect, useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Select } from '@sluice/ui/choice.tsx';
import { Note, PartialState } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import layout from '@sluice/ui/layout.module.css';
import { cutsOf, type Cuts } from '../broker/cuts.ts';
import type { Broker } from '../broker/session.ts';
import { configOf, formIssues, streamForm, type StreamForm } from '../lib/stream-form.ts';
import { FormDialog } from './form-dialog.tsx';

const retentions = [
  { key: 'limits', label: 'Until a limit is reached' },
  { key: 'interest', label: 'Until all consumers have acknowledged' },
  { key: 'workqueue', label: 'Until one consumer has acknowledged' },
] as const;
const storages = [
  { key: 'file', label: 'On disk' },
  { key: 'memory', label: 'In memory' },
] as const;
const discards = [
  { key: 'old', label: 'Deletes the oldest messages' },
  { key: 'new', label: 'Refuses new messages' },
] as const;

interface StreamDialogProps {
  broker: Broker;
  /** that is changed; without it one is created */
  stream?: StreamInfo;
  onClose: () => void;
  onDone: (name: string) => void;
}

/** Creates a stream, or changes one and says before what that deletes. */
export function StreamDialog({ broker, stream: given, onClose, onDone }: StreamDialogProps) {
  // as the form begins with it: what is read meanwhile may have been changed by others
  const [stream] = useState(given);
  const [form, setForm] = useState(() => streamForm(stream?.config));
  const [isTouched, setTouched] = useState(false);
  const [typed, setTyped] = useState('');
  const issues = formIssues(form);
  const isValid = Object.keys(issues).length === 0;
  const cuts = useCuts(broker, stream, isValid ? form : undefined);
  const deletes = cuts !== undefined && cuts.deleted.length > 0;
  const set = <Key extends keyof StreamForm>(key: Key, value: StreamForm[Key]) => {
    setTouched(true);
    setForm({ ...form, [key]: value });
  };
  const text = (key: keyof StreamForm, label: string, description?: string) => (
    <TextField
      label={label}
      {...(description !== undefined && { description })}
      value={form[key]}
      onChange={(value) => set(key, value)}
      error={isTouched && form[key] !== '' ? issues[key] : undefined}
    />
  );
  const save = async () => {
    const config = configOf(form, stream?.config);
    const { streams } = broker.manager;
    if (stream) {
      const { config: now } = await streams.info(form.name);
      if (JSON.stringify(now) !== JSON.stringify(stream.config))
        throw new ShownError(
          'changed_meanwhile',
          'The stream was changed meanwhile',
          'Close this and open it again.',
        );
      await streams.update(form.name, config);
    } else await streams.add(config);
    onDone(form.name);
  };
  const isSettled = stream === undefined || cuts !== undefined;
  return (
    <FormDialog
      title={stream ? `Change ${form.name}` : 'Create a stream'}
      action={stream ? (deletes ? 'Save and delete messages' : 'Save') : 'Create'}
      danger={deletes}
      isReady={isValid && isSettled && (!deletes || typed === form.name)}
      onClose={onClose}
      onSubmit={save}
    >
      <div className={layout.pair}>
        {!stream && text('name', 'Name')}
        {text('description', 'Description')}
      </div>
      <TextField
        label="Subjects"
        description="One per line. * stands for one part of a subject, > at the end for all that follow."
        rows={3}
        isMono
        value={form.subjects}
        onChange={(value) => set('subjects', value)}
        error={isTouched ? issues.subjects : undefined}
      />
      <div className={layout.pair}>
        {!stream && (
          <Select
            label="Messages are kept"
            options={retentions}
            value={form.retention}
            onChange={(key) => key && set('retention', key)}
          />
        )}
        {!stream && (
          <Select
            label="Storage"
            options={storages}
            value={form.storage}
            onChange={(key) => key && set('storage', key)}
          />
        )}
        <Select
          label="A full stream"
          options={discards}
          value={form.discard}
          onChange={(key) => key && set('discard', key)}
        />
      </div>
      <div className={layout.pair}>
        {text('maxMessages', 'Most messages')}
        {text('maxBytes', 'Most bytes')}
        {text('maxAge', 'Oldest message, in seconds')}
        {text('maxPerSubject', 'Most messages of a subject')}
        {text('maxMessageSize', 'Largest message, in bytes')}
        {text('replicas', 'Copies')}
      </div>
      {deletes && (
        <>
          <PartialState>
            <ul>
              {cuts.deleted.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </PartialState>
          <TextField label={`Type ${form.name} to confirm`} value={typed} onChange={setTyped} isMono />
        </>
      )}
      {cuts?.remarks.map((line) => (
        <Note key={line}>{line}</Note>
      ))}
    </FormDialog>
  );
}

/** What the change deletes. Undefined while it is not known. */
function useCuts(
  broker: Broker,
  stream: StreamInfo | undefined,
  form: StreamForm | undefined,
): Cuts | undefined {
  const [cuts, setCuts] = useState<{ of: string; cuts: Cuts }>();
  const key = form && stream ? JSON.stringify(configOf(form, stream.config)) : undefined;
  useEffect(() => {
    if (key === undefined || !form || !stream) return;
    let isOver = false;
    const timer = setTimeout(() => {
      const look = async () => {
        const now = await broker.manager.streams.info(stream.config.name);
        return await cutsOf(broker, now, configOf(form, stream.config));
      };
      const unknown: Cuts = { deleted: ['What it deletes could not be found out.'], remarks: [] };
      void look()
        .catch(() => unknown)
        .then((found) => !isOver && setCuts({ of: key, cuts: found }));
    }, 250);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // the form is in the key
    // oxlint-disable-next-line react/exhaustive-deps
  }, [broker, key]);
  return cuts?.of === key ? cuts?.cuts : undefined;
}
