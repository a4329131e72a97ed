import { useState } from 'react';
import { headers as emptyHeaders } from '@nats-io/nats-core';
import { Button } from '@sluice/ui/button.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { toast } from '@sluice/ui/toast.tsx';
import type { Broker } from '../broker/session.ts';
import { headerLines, parseHeaders } from '../lib/headers.ts';
import { textOf } from '../lib/payload.ts';
import { FormDialog } from './form-dialog.tsx';
import styles from './streams.module.css';

/** What the dialog begins with. */
export interface Draft {
  subject: string;
  headers?: Record<string, string[]>;
  data?: Uint8Array;
}

/** longer texts are published as they are, and not edited */
const mostEdited = 256 * 2 ** 10;

interface Bytes {
  data: Uint8Array;
  from: string;
}

/** Publishes a message: a new one, or one that is there, changed or to another subject. */
export function PublishDialog({
  broker,
  draft,
  onClose,
}: {
  broker: Broker;
  draft: Draft;
  onClose: () => void;
}) {
  const given = draft.data ?? new Uint8Array();
  const asText = given.length > mostEdited ? undefined : textOf({ data: given, size: given.length });
  const [subject, setSubject] = useState(draft.subject);
  const [lines, setLines] = useState(headerLines(draft.headers ?? {}));
  const [text, setText] = useState(asText ?? '');
  const [bytes, setBytes] = useState<Bytes | undefined>(
    asText === undefined ? { data: given, from: 'the message' } : undefined,
  );
  const parsed = parseHeaders(lines);
  const payload = bytes?.data ?? new TextEncoder().encode(text);
  const isSubject =
    !/\s/.test(subject) && subject.split('.').every((token) => !['', '*', '>'].includes(token));
  const isTooLarge = payload.length > broker.mostBytes;
  const publish = async () => {
    if (typeof parsed === 'string') return;
    const headers = emptyHeaders();
    for (const [name, value] of parsed) headers.append(name, value);
    try {
      const { stream, seq, duplicate } = await broker.client.publish(subject, payload, {
        ...(parsed.length > 0 && { headers }),
      });
      toast(
        duplicate ? 'The stream knows this id already' : 'Published',
        `${stream} has it as message ${seq}.`,
      );
    } catch (error) {
      if (/no ?responders|503/i.test(String(error)))
        throw new ShownError('no_stream', 'No stream takes this subject', 'Nothing was stored.');
      throw error;
    }
  };
  return (
    <FormDialog
      title="Publish a message"
      action="Publish"
      isReady={isSubject && typeof parsed !== 'string' && !isTooLarge}
      onClose={onClose}
      onSubmit={publish}
    >
      <TextField
        label="Subject"
        value={subject}
        onChange={setSubject}
        isMono
        error={
          subject === '' || isSubject ? undefined : 'No spaces, no wildcards, and nothing empty between dots.'
        }
      />
      <TextField
        label="Headers"
        description="One per line: Name: value"
        rows={3}
        isMono
        value={lines}
        onChange={setLines}
        error={typeof parsed === 'string' ? parsed : undefined}
      />
      {bytes ? (
        <Note>
          The payload is {formatBytes(bytes.data.length)} from {bytes.from}.{' '}
          <Button size="small" onPress={() => setBytes(undefined)}>
            Write a text instead
          </Button>
        </Note>
      ) : (
        <TextField label="Payload" rows={8} isMono value={text} onChange={setText} />
      )}
      <label className={styles.tools}>
        <span>Or from a file</span>
        <input
          type="file"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (!file) return;
            // what no message can have is not read
            const part = file.size > broker.mostBytes ? file.slice(0, broker.mostBytes + 1) : file;
            void part
              .arrayBuffer()
              .then((content) => setBytes({ data: new Uint8Array(content), from: file.name }));
          }}
        />
      </label>
      {isTooLarge && <Note>The broker takes messages of {formatBytes(broker.mostBytes)} at most.</Note>}
    </FormDialog>
  );
}
