import { drawn, formOf, hexOf, jsonOf, textOf } from './payload.ts';
import { headerLines, parseHeaders, subjectOfAgain } from './headers.ts';
import { positionOf } from './position.ts';
import { ExpressionError, searchOf } from './search.ts';
import { configOf, formIssues, streamForm } from './stream-form.ts';
import { keepTemplate, keptTemplates } from './kept-templates.ts';
import { filterBelow, filterOf, subjectTree, treeRows, type SubjectCount } from './subject-tree.ts';
import { messageOf, templateIssues, type Template } from './template.ts';

const message = (data: string | Uint8Array, size?: number) => {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  return {
    sequence: 1,
    time: '2026-03-14T09:26:53Z',
    subject: 'a.b',
    headers: {},
    data: bytes,
    size: size ?? bytes.length,
  };
};

test('a payload is read as JSON, text or bytes, whatever fits', () => {
  expect(formOf(message('{"a":1}'))).toBe('json');
  expect(formOf(message('hello'))).toBe('text');
  expect(formOf(message(new Uint8Array([0xff, 0xfe])))).toBe('hex');
  expect(drawn(message('{"a":1}'), 'json').text).toBe('{\n  "a": 1\n}');
  expect(hexOf(new Uint8Array([65, 0]))).toMatch(/^00000000 {2}41 00 +A\.$/);
});

test('what is cut within a character is text all the same, and no JSON', () => {
  const cut = message(new TextEncoder().encode('{"a":"ü').slice(0, -1), 100);
  expect(textOf(cut)).toBe('{"a":"');
  expect(jsonOf(cut)).toBeUndefined();
  expect(textOf(message('whole'))).toBe('whole');
  expect(drawn(cut, 'text').isCut).toBe(true);
});

test('a long payload is drawn to a bound', () => {
  const { text, isCut } = drawn(message('x'.repeat(100_000)), 'text');
  expect([text.length, isCut]).toEqual([16_384, true]);
});

test('a dead letter of a connector is published again where it came from, as it was', () => {
  const headers = { 'Sluice-Topic': ['orders.eu'], 'Sluice-Reason': ['too long'], kind: ['new'] };
  expect(subjectOfAgain('sluice.dead_letters.a', headers)).toBe('orders.eu');
  expect(headerLines(headers)).toBe('kind: new');
  expect(subjectOfAgain('orders.eu', {})).toBe('orders.eu');
});

test('headers are lines and back, without what names the former message', () => {
  const lines = headerLines({ trace: ['a', 'b'], 'Nats-Msg-Id': ['1'], 'Nats-Expected-Stream': ['x'] });
  expect(lines).toBe('trace: a\ntrace: b');
  expect(parseHeaders(`${lines}\n\n`)).toEqual([
    ['trace', 'a'],
    ['trace', 'b'],
  ]);
  expect(parseHeaders('no header')).toMatch(/is no header/);
});

test('a position is a sequence, a time, or how long ago', () => {
  const now = new Date('2026-03-14T12:00:00Z');
  expect(positionOf('1200', now)).toEqual({ sequence: 1200 });
  expect(positionOf('2h', now)).toEqual({ time: new Date('2026-03-14T10:00:00Z') });
  expect(positionOf('2026-03-14', now)).toEqual({ time: new Date('2026-03-14') });
  for (const text of ['', 'yesterday', '-1', '2026-99-99']) expect(positionOf(text, now)).toBeUndefined();
});

test('an expression sees headers and JSON, and what it cannot take does not fit', async () => {
  const one = { ...message('{"total":120}'), headers: { kind: ['new'] } };
  expect((await searchOf('jmespath', "headers.kind == 'new' && data.total > `100`"))(one)).toBe(true);
  expect((await searchOf('jmespath', 'sum(data.total) > `1`'))(one)).toBe(false);
  expect((await searchOf('text', 'KIND: new'))(one)).toBe(true);
  expect((await searchOf('regexp', '^kind: n.w$'))(one)).toBe(true);
  expect((await searchOf('regexp', '^\\{"total":\\d{4}'))(one)).toBe(false);
  for (const [kind, text] of [
    ['jmespath', 'data.['],
    ['regexp', '(a'],
    ['text', 'x'.repeat(1001)],
  ] as const)
    await expect(searchOf(kind, text)).rejects.toThrow(ExpressionError);
});

test('the form of a stream is its configuration and back, and the rest stays', () => {
  const form = { ...streamForm(), name: 'orders', subjects: 'orders.>\n', maxAge: '60', maxMessages: '5' };
  expect(formIssues(form)).toEqual({});
  expect(configOf(form)).toMatchObject({
    name: 'orders',
    subjects: ['orders.>'],
    max_age: 60e9,
    max_msgs: 5,
    max_bytes: -1,
  });
  const bad = formIssues({ ...form, name: 'a b', maxBytes: '1.5', replicas: '9' });
  expect(Object.keys(bad)).toEqual(['name', 'maxBytes', 'replicas']);
});

test('a hundred thousand subjects are a tree of which the open part is drawn, to a bound', () => {
  const counts = Array.from({ length: 100_000 }, (_, index): SubjectCount => [`a.${index % 50}.${index}`, 1]);
  const tree = subjectTree([['a', 3], ...counts, ['b', 7]]);
  const filters = (open: string[]) => treeRows(tree, new Set(open)).rows.map(({ node }) => filterOf(node));
  // a subject that has others below it is two rows: no filter takes both
  expect(filters([])).toEqual(['a.>', 'b', 'a']);
  expect(filters(['a.>', 'a.3.>'])).toHaveLength(3 + 50 + 1000);
  const { rows, leftOut } = treeRows(tree, new Set(['a.>', 'a.3.>']));
  expect(rows.find(({ node }) => node.subject === 'a.3')).toMatchObject({
    leftOut: 1000,
    node: { messages: 2000 },
  });
  expect(leftOut).toBe(0);
  const flat = Array.from({ length: 1500 }, (_, index): SubjectCount => [`flat-${index}`, 1]);
  expect(treeRows(subjectTree(flat), new Set())).toMatchObject({ leftOut: 500 });
});

test('what is looked below is a beginning, or a filter', () => {
  expect(['', ' orders. ', 'orders.eu', 'orders.*', '>'].map(filterBelow)).toEqual([
    ...['>', 'orders.>', 'orders.eu.>', 'orders.*', '>'],
  ]);
});

const template = (part: Partial<Template>): Template => ({ subject: 'a', headers: '', payload: '', ...part });
const payloadOf = (payload: string, index?: number) =>
  new TextDecoder().decode(messageOf(template({ payload }), index).data);

test('placeholders have another value in each message, and are text where nothing is filled in', () => {
  const text = '{{counter}} {{ counter 100 }} {{random 5 5}}';
  expect([payloadOf(text, 0), payloadOf(text, 9), payloadOf(text)]).toEqual(['1 100 5', '10 109 5', text]);
  expect(payloadOf('{{uuid}}', 0)).toMatch(
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  );
  expect(payloadOf('{{uuid}}', 0)).not.toBe(payloadOf('{{uuid}}', 0));
  expect(Date.parse(payloadOf('{{time}}', 0))).toBeGreaterThan(1.7e12);
  expect(messageOf(template({ subject: 'a.{{counter}}', headers: 'n: {{counter}}' }), 1)).toMatchObject({
    subject: 'a.2',
    headers: [['n', '2']],
  });
});

test('a template says what is wrong with it', () => {
  expect(templateIssues(template({ subject: 'a.{{random 1 6}}', payload: '{{time}}' }), true)).toEqual({});
  const bad = template({ subject: 'a..b', headers: 'none', payload: '{{total}}' });
  expect(Object.keys(templateIssues(bad, true)).sort()).toEqual(['headers', 'payload', 'subject']);
  // as it is, a payload may have braces
  expect(Object.keys(templateIssues(bad, false)).sort()).toEqual(['headers', 'subject']);
  expect(templateIssues(template({ payload: '{{random 6 1}}' }), true).payload).toMatch(/no placeholder/);
});

test('templates are kept for a session alone, one of each name', () => {
  const session = {};
  const one = { ...template({}), name: 'one', payload: 'x' };
  for (const kept of [one, { ...one, name: 'two' }, { ...one, payload: 'y' }]) keepTemplate(session, kept);
  expect(keptTemplates(session).map(({ name, payload }) => [name, payload])).toEqual([
    ['two', 'x'],
    ['one', 'y'],
  ]);
  expect(keptTemplates({})).toEqual([]);
});
