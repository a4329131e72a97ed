import type { Broker } from '../broker/session.ts';
import { StreamDetail } from './stream-detail.tsx';
import { StreamList } from './stream-list.tsx';

interface StreamsProps {
  broker: Broker;
  /** the stream that is open; the list without one */
  open: string | undefined;
  onOpen: (name: string | undefined) => void;
}

/** All that a session with a broker can look at and change. */
export function Streams({ broker, open, onOpen }: StreamsProps) {
  return open === undefined ? (
    <StreamList broker={broker} onOpen={onOpen} />
  ) : (
    <StreamDetail key={open} broker={broker} name={open} onBack={() => onOpen(undefined)} />
  );
}
