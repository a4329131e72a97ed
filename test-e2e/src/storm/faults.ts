import { databases, type Machine } from './machine.ts';
import { oneOf } from './random.ts';

export interface Fault {
  name: string;
  strike: () => Promise<void>;
}

const services = Object.keys(databases) as (keyof typeof databases)[];

/** Faults that come again and again, in a random order. */
export function commonFaults(machine: Machine, random: () => number): Fault[] {
  const any = <T>(items: readonly T[]) => oneOf(items, random);
  const milliseconds = () => 3_000 + 12_000 * random();
  return [
    ...services.flatMap((service): Fault[] => [
      { name: `${service} is killed`, strike: () => machine.killService(service) },
      { name: `${service} hangs`, strike: () => machine.freezeService(service, milliseconds()) },
    ]),
    ...Array.from({ length: 4 }, () => ({
      name: 'a process of a node is killed',
      strike: () => machine.killOnNode(any),
    })),
    { name: 'NATS is killed', strike: () => machine.killNats() },
    { name: 'PostgreSQL is killed', strike: () => machine.killPostgres() },
  ];
}

/** One process of the stack that ends, by force or in order. */
export function soakFaults(machine: Machine): Fault[] {
  return [
    ...services.flatMap((service): Fault[] => [
      { name: `${service} is killed`, strike: () => machine.killService(service) },
      { name: `${service} is restarted`, strike: () => machine.endService(service) },
    ]),
    { name: 'NATS is killed', strike: () => machine.killNats() },
    { name: 'PostgreSQL is killed', strike: () => machine.killPostgres() },
  ];
}

/** Faults that take data back, each once in a storm; `backUp` is done before any of them. */
export function restores(machine: Machine): { faults: Fault[]; backUp: () => Promise<void> } {
  const regions = [databases['supervisor-cloud_a'], databases['supervisor-cloud_b']];
  return {
    faults: [
      { name: 'NATS goes back to its backup', strike: () => machine.restoreNats('backup') },
      ...[databases['main-api'], ...regions].map((name) => ({
        name: `the database ${name} goes back to its backup`,
        strike: () => machine.restoreDatabase(name),
      })),
      { name: 'NATS loses everything', strike: () => machine.restoreNats('nothing') },
    ],
    async backUp() {
      for (const name of [databases['main-api'], ...regions]) await machine.backUpDatabase(name);
      await machine.backUpNats();
    },
  };
}
