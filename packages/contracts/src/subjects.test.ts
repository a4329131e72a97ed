import { idOf, type TenantId } from './ids.ts';
import { topology } from './index.ts';

const ours = topology('sluice');
const theirs = topology('other');
const { subjects, streams, buckets } = ours;

/** NATS: `>` stands for one or more tokens at the end. */
function matches(pattern: string, subject: string): boolean {
  return pattern.endsWith('>') ? subject.startsWith(pattern.slice(0, -1)) : subject === pattern;
}
const streamsOf = (subject: string) =>
  Object.entries(streams)
    .filter(([, stream]) => stream.subjects.some((pattern) => matches(pattern, subject)))
    .map(([kind]) => kind);

test.each([
  ['events', subjects.event('main-api', idOf<TenantId>(1), 'division_created')],
  ['commands', subjects.command('cloud_a', 'us-east-1', 'deployment_apply')],
  ['reports', subjects.report('supervisor/cloud_a/us-east-1', 'deployment_status')],
  ['deadLetters', subjects.deadLetter('audit')],
])('%s go into their stream and no other', (kind, subject) => {
  expect(streamsOf(subject)).toEqual([kind]);
});

test('a region gets its own commands only', () => {
  const pattern = subjects.commandsOf('cloud_a', 'us-east-1');
  expect(matches(pattern, subjects.command('cloud_a', 'us-east-1', 'deployment_apply'))).toBe(true);
  for (const [cloud, region] of [
    ['cloud_a', 'us-east-10'],
    ['cloud_a', 'us-east'],
    ['cloud_b', 'us-east-1'],
  ] as const)
    expect(matches(pattern, subjects.command(cloud, region, 'deployment_apply'))).toBe(false);
});

test('two namespaces on one server have nothing in common', () => {
  const namesOf = (names: typeof ours) => [
    ...Object.values(names.streams).flatMap(({ name, subjects: patterns }) => [name, ...patterns]),
    ...Object.values(names.buckets),
  ];
  expect(namesOf(ours).filter((name) => namesOf(theirs).includes(name))).toEqual([]);
});

test('no two streams or buckets of a namespace have the same name', () => {
  const names = [...Object.values(streams).map(({ name }) => name), ...Object.values(buckets)];
  expect(new Set(names).size).toBe(names.length);
});
