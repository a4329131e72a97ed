import { useEffect, useState } from 'react';
import type { ConsumerInfo, StreamInfo } from '@nats-io/jetstream';
import { sequenceAt } from '@sluice/streams';
import { Select } from '@sluice/ui/choice.tsx';
import { ErrorNote, Note, PartialState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { TextField } from '@sluice/ui/field.tsx';
import { toast } from '@sluice/ui/toast.tsx';
import { resetEffect, type ResetEffect } from '../broker/resets.ts';
import { explained, type Broker } from '../broker/session.ts';
import { positionOf } from '../lib/position.ts';
import { FormDialog } from './form-dialog.tsx';

const lengths = [
  { key: '600', label: 'Ten minutes' },
  { key: '3600', label: 'An hour' },
  { key: '86400', label: 'A day' },
  { key: '31536000', label: 'A year' },
] as const;

interface ConsumerDialogProps {
  broker: Broker;
  consumer: ConsumerInfo;
  onClose: () => void;
}

export function PauseDialog({ broker, consumer, onClose }: ConsumerDialogProps) {
  const { name, stream_name: stream } = consumer;
  const [length, setLength] = useState<(typeof lengths)[number]['key']>('3600');
  return (
    <FormDialog
      title={`Pause ${name}`}
      action="Pause"
      isReady
      onClose={onClose}
      onSubmit={async () => {
        const until = new Date(Date.now() + Number(length) * 1000);
        await broker.manager.consumers.pause(stream, name, until);
        toast(`${name} is paused`);
      }}
    >
      <Select label="For" options={lengths} value={length} onChange={(key) => key && setLength(key)} />
      <Note>Its clients get no messages until then, or until it is resumed. The stream goes on.</Note>
    </FormDialog>
  );
}

/** Has a consumer begin again elsewhere, and says before what that repeats or skips. */
export function ResetDialog({
  broker,
  stream,
  consumer,
  onClose,
}: ConsumerDialogProps & { stream: StreamInfo }) {
  const { name } = consumer;
  const [to, setTo] = useState('');
  const [typed, setTyped] = useState('');
  const { target, effect, error } = useEffectOf(broker, stream, consumer, to);
  return (
    <FormDialog
      title={`Reset ${name}`}
      action="Reset"
      danger
      isReady={target !== undefined && effect !== undefined && !effect.refused && typed === name}
      onClose={onClose}
      onSubmit={async () => {
        await broker.manager.consumers.reset(stream.config.name, name, target);
        toast(`${name} begins again at ${target}`);
      }}
    >
      <TextField
        label="To"
        description={`A sequence, a time, or how long ago: 1200, 2026-03-14, 2h. It is at ${consumer.delivered.stream_seq + 1} now.`}
        value={to}
        onChange={setTo}
        isMono
        error={to === '' || positionOf(to) ? undefined : 'This is neither a sequence nor a time.'}
      />
      {error !== undefined && <ErrorNote error={error} />}
      {to !== '' && positionOf(to) && !effect && error === undefined && <SkeletonLines count={1} />}
      {effect && <PartialState>{effect.refused ?? effect.effect}</PartialState>}
      <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} isMono />
    </FormDialog>
  );
}

interface Found {
  to: string;
  target?: number;
  effect?: ResetEffect;
  error?: unknown;
}

function useEffectOf(
  broker: Broker,
  stream: StreamInfo,
  consumer: ConsumerInfo,
  to: string,
): Omit<Found, 'to'> {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    const position = positionOf(to);
    if (!position) return;
    let isOver = false;
    const look = async (): Promise<Found> => {
      const [info, now] = await Promise.all([
        broker.manager.streams.info(stream.config.name),
        broker.manager.consumers.info(stream.config.name, consumer.name),
      ]);
      const sequence =
        'sequence' in position
          ? position.sequence
          : ((await sequenceAt(broker, info, position.time)) ?? info.state.last_seq + 1);
      const target = Math.max(1, sequence);
      return { to, target, effect: await resetEffect(broker, info, now, target) };
    };
    const timer = setTimeout(
      () =>
        void look()
          .catch((error: unknown): Found => ({ to, error: explained(error) }))
          .then((result) => !isOver && setFound(result)),
      250,
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // the others are read anew
    // oxlint-disable-next-line react/exhaustive-deps
  }, [broker, to]);
  return found?.to === to ? found : {};
}
