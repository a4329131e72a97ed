import { useState } from 'react';
import type { StreamInfo } from '@nats-io/jetstream';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { CopyButton } from '@sluice/ui/copy.tsx';
import { DescriptionList, Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog, Dialog } from '@sluice/ui/dialog.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import { ShownError } from '@sluice/ui/lib/problems.ts';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { saveFile } from '@sluice/ui/lib/save-file.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { readMessage, type StoredMessage } from '@sluice/streams';
import { explained, type Broker } from '../broker/session.ts';
import { subjectOfAgain } from '../lib/headers.ts';
import { drawn, formOf, masked, type PayloadForm } from '../lib/payload.ts';
import { PublishDialog, type Draft } from './publish-dialog.tsx';
import styles from './streams.module.css';

const forms = [
  { key: 'text', label: 'Text' },
  { key: 'json', label: 'JSON' },
  { key: 'hex', label: 'Hex' },
] as const;

/** more headers are not drawn */
const mostHeaders = 100;
const longestHeader = 2000;

interface MessageDialogProps {
  broker: Broker;
  stream: StreamInfo;
  message: StoredMessage;
  /** whether values are shown at once */
  isShown: boolean;
  onClose: () => void;
  onChange?: () => void;
}

/** One message: headers, payload, and what can be done with it. */
export function MessageDialog({ broker, stream, message, isShown, onClose, onChange }: MessageDialogProps) {
  const [isVisible, setVisible] = useState(isShown);
  const [form, setForm] = useState<PayloadForm>(() => formOf(message));
  const [draft, setDraft] = useState<Draft>();
  const [isDeleting, setDeleting] = useState(false);
  const { sequence, subject, time, size } = message;
  const { name } = stream.config;
  const headers = Object.entries(message.headers).flatMap(([key, values]) =>
    values.map((value) => [key, value] as const),
  );
  const whole = async () => {
    const found = await readMessage(broker, name, { seq: sequence });
    // of a stream that was made anew it would be another one
    if (found?.time !== time || found.subject !== subject)
      throw new ShownError('no_message', 'The message is gone', 'It was deleted meanwhile.');
    return found;
  };
  const attempt = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => toastError(explained(error)));
  const { text, isCut } = drawn(message, form);
  if (draft)
    return (
      <PublishDialog
        broker={broker}
        draft={draft}
        onClose={() => {
          onChange?.();
          onClose();
        }}
      />
    );
  return (
    <Dialog
      title={`Message ${sequence}`}
      isOpen
      wide
      onOpenChange={(isOpen) => !isOpen && onClose()}
      buttons={(close) => <Button onPress={close}>Close</Button>}
    >
      <div className={layout.closeStack}>
        <DescriptionList
          items={[
            [
              'Subject',
              <span key="subject" className={styles.mono}>
                {subject}
              </span>,
            ],
            ['Stored', <Time key="time" at={time} isExact />],
            ['Size', formatBytes(size)],
            ...headers.slice(0, mostHeaders).map(
              ([key, value], index) =>
                [
                  key,
                  <span key={index} className={styles.mono}>
                    {isVisible ? value.slice(0, longestHeader) : masked}
                  </span>,
                ] as const,
            ),
          ]}
        />
        {headers.length > mostHeaders && (
          <Note>{headers.length - mostHeaders} more headers are not shown.</Note>
        )}
        <div className={styles.tools}>
          <Button onPress={() => setVisible(!isVisible)}>
            {isVisible ? 'Hide the values' : 'Show the values'}
          </Button>
          {isVisible && (
            <>
              <Select
                label="Form"
                hideLabel
                options={forms}
                value={form}
                onChange={(key) => key && setForm(key)}
              />
              {!isCut && <CopyButton value={text} label="the payload" />}
            </>
          )}
        </div>
        {isVisible && (
          // it scrolls, so keys have to reach it
          <pre className={styles.payload} tabIndex={0} aria-label="Payload">
            {text}
          </pre>
        )}
        {isVisible && isCut && <Note>This is the beginning. Download it to have the whole.</Note>}
        <div className={styles.tools}>
          <Button
            onPress={attempt(async () => {
              const { data } = await whole();
              saveFile(`${name}-${sequence}.bin`, [new Uint8Array(data)], 'application/octet-stream');
            })}
          >
            Download
          </Button>
          <Button
            onPress={attempt(async () => {
              const { data, headers: all } = await whole();
              setDraft({ subject: subjectOfAgain(subject, all), headers: all, data });
            })}
          >
            Publish again…
          </Button>
          <Button onPress={() => setDeleting(true)}>Delete the message</Button>
        </div>
      </div>
      <ConfirmDialog
        title={`Delete message ${sequence}`}
        isOpen={isDeleting}
        onOpenChange={setDeleting}
        action="Delete"
        onConfirm={async () => {
          await broker.manager.streams.deleteMessage(name, sequence, false).catch((error: unknown) => {
            throw explained(error);
          });
          toast(`Message ${sequence} is deleted`);
          onChange?.();
          onClose();
        }}
      >
        Consumers that have not got it yet will not get it.
      </ConfirmDialog>
    </Dialog>
  );
}
