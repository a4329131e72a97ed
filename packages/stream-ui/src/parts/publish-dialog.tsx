import { useEffect, useRef, useState } from 'react';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { Switch, TextField } from '@sluice/ui/field.tsx';
import { formatBytes, formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import { publishMany, publishMessage } from '../broker/publish.ts';
import type { Broker } from '../broker/session.ts';
import { headerLines } from '../lib/headers.ts';
import { keepTemplate, keptTemplates } from '../lib/kept-templates.ts';
import { textOf } from '../lib/payload.ts';
import { messageOf, templateIssues, type Template } from '../lib/template.ts';
import { FormDialog } from './form-dialog.tsx';
import { ManyFields, runOf, type ManyForm } from './publish-many.tsx';
import styles from './streams.module.css';

/** What the dialog begins with. */
export interface Draft {
  subject: string;
  headers?: Record<string, string[]>;
  data?: Uint8Array;
}

/** longer texts are published as they are, and not edited */
const mostEdited = 256 * 2 ** 10;

/** @returns undefined where it is no text, or is too long to be edited */
const editedText = (data: Uint8Array): string | undefined =>
  data.length > mostEdited ? undefined : textOf({ data, size: data.length });

interface PublishDialogProps {
  broker: Broker;
  draft: Draft;
  onClose: () => void;
}

/** Publishes a message: a new one, or one that is there, changed or to another subject; or many that are made of one template. */
export function PublishDialog({ broker, draft, onClose }: PublishDialogProps) {
  const [template, setTemplate] = useState<Template>(() => {
    const data = draft.data ?? new Uint8Array();
    return {
      subject: draft.subject,
      headers: headerLines(draft.headers ?? {}),
      payload: editedText(data) ?? data,
    };
  });
  const [origin, setOrigin] = useState('the message');
  const [many, setMany] = useState<ManyForm>();
  const [kept, setKept] = useState(() => keptTemplates(broker));
  const [published, setPublished] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const { payload } = template;
  const issues = templateIssues(template, many !== undefined);
  const isFit = Object.keys(issues).length === 0;
  const size = isFit ? messageOf(template, many && 0).data.length : 0;
  const isTooLarge = size > broker.mostBytes;
  const run = many && runOf(many, size);
  const set = (part: Partial<Template>) => setTemplate((former) => ({ ...former, ...part }));

  const publish = async () => {
    if (!run) {
      const { stream, seq, duplicate } = await publishMessage(broker, messageOf(template));
      toast(
        duplicate ? 'The stream knows this id already' : 'Published',
        `${stream} has it as message ${seq}.`,
      );
      return;
    }
    const { signal } = (running.current = new AbortController());
    setPublished(0);
    try {
      const { stored, duplicates } = await publishMany(broker, template, run, signal, setPublished);
      const known =
        duplicates > 0 ? `${formatCount(duplicates)} had an id that the stream knew already.` : undefined;
      toast(`${plural(stored, 'message')} published${signal.aborted ? ', then stopped' : ''}`, known);
    } finally {
      setPublished(undefined);
    }
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    // what no message can have is not read
    const part = file.size > broker.mostBytes ? file.slice(0, broker.mostBytes + 1) : file;
    set({ payload: new Uint8Array(await part.arrayBuffer()) });
    setOrigin(file.name);
  };
  return (
    <FormDialog
      title="Publish a message"
      action={run && run.count !== 1 ? `Publish ${formatCount(run.count)}` : 'Publish'}
      isReady={isFit && !isTooLarge && (many === undefined || run !== undefined)}
      onClose={onClose}
      onSubmit={publish}
      {...(published !== undefined && { onStop: () => running.current?.abort() })}
    >
      {kept.length > 0 && (
        <Select
          label="Template"
          placeholder="None"
          options={kept.map(({ name }) => ({ key: name, label: name }))}
          value={null}
          onChange={(key) => {
            const chosen = kept.find(({ name }) => name === key);
            if (!chosen) return;
            const { name, ...rest } = chosen;
            setTemplate(rest);
            setMany((former) => ({ count: '1', perSecond: '10', ...former, name }));
          }}
        />
      )}
      <TextField
        label="Subject"
        value={template.subject}
        onChange={(subject) => set({ subject })}
        isMono
        error={template.subject === '' ? undefined : issues.subject}
      />
      <TextField
        label="Headers"
        description="One per line: Name: value"
        rows={3}
        isMono
        value={template.headers}
        onChange={(headers) => set({ headers })}
        error={issues.headers}
      />
      {typeof payload === 'string' ? (
        <TextField
          label="Payload"
          rows={8}
          isMono
          value={payload}
          onChange={(text) => set({ payload: text })}
          error={issues.payload}
        />
      ) : (
        <Note>
          The payload is {formatBytes(payload.length)} from {origin}.{' '}
          <Button size="small" onPress={() => set({ payload: '' })}>
            Write a text instead
          </Button>
        </Note>
      )}
      <label className={styles.tools}>
        <span>Or from a file</span>
        <input
          type="file"
          onChange={(event) =>
            void readFile(event.target.files?.[0]).catch(() =>
              toastError(new Error('The file could not be read.')),
            )
          }
        />
      </label>
      {isTooLarge && <Note>The broker takes messages of {formatBytes(broker.mostBytes)} at most.</Note>}
      <Switch
        isSelected={many !== undefined}
        onChange={(isOn) => setMany(isOn ? { count: '10', perSecond: '10', name: '' } : undefined)}
      >
        Several, with placeholders
      </Switch>
      {many && (
        <ManyFields
          form={many}
          onChange={setMany}
          template={template}
          isFit={isFit}
          size={size}
          onKeep={
            typeof payload === 'string'
              ? () => {
                  keepTemplate(broker, { ...template, payload, name: many.name.trim() });
                  setKept(keptTemplates(broker));
                  toast('Kept until the session ends');
                }
              : undefined
          }
        />
      )}
      {published !== undefined && run && (
        <p role="status">
          {formatCount(published)} of {formatCount(run.count)} published…
        </p>
      )}
    </FormDialog>
  );
}
