import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApiDocument, type OpenApiDocument } from '@sluice/http';
import { testFolder, unpackLastRelease } from '@sluice/testing';
import { repository } from '../settings.ts';
import { breakingChanges } from './breaking-changes.ts';
import type { Schema } from './schema-changes.ts';

/** What breaks clients of the last release all the same: each needs a reason, and goes with the next archive. */
const accepted: Record<string, { change: string; reason: string }[]> = {
  'services/main-api': [],
  'services/supervisor': [
    'GET /deployments/{}/configs/{}/schema 200/{}/schema/*/default_value: has 5 variants now, and had 0',
    'GET /deployments/{}/configs/{}/schema 200/{}/schema/*/rules/*/value: has 2 variants now, and had 0',
    'GET /deployments/{}/metrics 200/items/*/status: has 3 variants now, and had 0',
    'GET /deployments/{}/nodes/{}/metrics/{} 200/items/*/status: has 3 variants now, and had 0',
  ].map((change) => ({
    change,
    reason:
      'the same values, said as variants: generators for Go and Python knew no list of types, and no enum with names that differ in case',
  })),
  'services/audit': [],
};

describe('clients of the last release', () => {
  let sources: string;
  beforeAll(async () => {
    sources = await testFolder();
    await unpackLastRelease(sources);
  });

  test.each(Object.entries(accepted))('are not broken by %s', async (folder, known) => {
    const parts = (root: string, ...path: string[]) => pathToFileURL(join(root, ...path, 'openapi/'));
    const was = await loadApiDocument(parts(sources, folder), parts(sources, 'packages/http'));
    const is = await loadApiDocument(parts(repository, folder));
    expect(Object.keys(was.paths).length).toBeGreaterThan(5);
    expect(breakingChanges(was, is)).toEqual(known.map(({ change }) => change));
  });
});

interface Operation {
  query?: object[];
  body?: Schema;
  answer?: Schema;
  status?: string;
  more?: object;
}

const documentOf = (path: string, { query = [], body, answer, status = '200', more = {} }: Operation) =>
  ({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      [path]: {
        put: {
          operationId: 'changeThing',
          parameters: query,
          ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
          responses: {
            [status]: {
              description: '',
              ...(answer && { content: { 'application/json': { schema: answer } } }),
            },
          },
          ...more,
        },
      },
    },
  }) as OpenApiDocument;

const between = (was: Operation, is: Operation) =>
  breakingChanges(documentOf('/things/{id}', was), documentOf('/things/{thing_id}', is)).map((change) =>
    change.replace('PUT /things/{} ', ''),
  );
const object = (properties: Record<string, Schema>, required: string[] = [], more: Schema = {}): Schema => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
  ...more,
});
const text: Schema = { type: 'string' };
const nullableText: Schema = { type: ['string', 'null'] };
const page = { name: 'page', in: 'query', schema: { type: 'integer', maximum: 9 } };

describe('a change breaks clients', () => {
  test.each<[string, Operation, Operation, string[]]>([
    ['that drops a parameter', { query: [page] }, {}, ['query page: is gone']],
    [
      'that asks for another parameter',
      {},
      { query: [{ ...page, required: true }] },
      ['query page: is required now'],
    ],
    [
      'that lowers a bound of a parameter',
      { query: [page] },
      { query: [{ ...page, schema: { type: 'integer', maximum: 8 } }] },
      ['query page: maximum is 8 now'],
    ],
    [
      'that drops a field of a request',
      { body: object({ a: text }) },
      { body: object({}) },
      ['body/a: is gone'],
    ],
    [
      'that asks for another field',
      { body: object({}) },
      { body: object({ a: text }, ['a']) },
      ['body/a: is required now'],
    ],
    [
      'that takes a value less',
      { body: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      ['body/a: no longer takes y'],
    ],
    [
      'that takes no null any more',
      { body: object({ a: { oneOf: [text, { type: 'null' }] } }) },
      { body: object({ a: text }) },
      ['body/a: no longer takes null'],
    ],
    [
      'that narrows a list or a map',
      {
        body: object({
          a: { type: 'array', items: text },
          b: { type: 'object', additionalProperties: text },
        }),
      },
      {
        body: object({
          a: { type: 'array', items: { ...text, maxLength: 5 } },
          b: { type: 'object', additionalProperties: { ...text, pattern: 'x' } },
        }),
      },
      ['body/a/*: maxLength is 5 now', 'body/b/{}: has another pattern'],
    ],
    [
      'that drops a field of an answer',
      { answer: object({ a: text }) },
      { answer: object({}) },
      ['200/a: is gone'],
    ],
    [
      'that may leave a field out',
      { answer: object({ a: text }, ['a']) },
      { answer: object({ a: text }) },
      ['200/a: may be absent now'],
    ],
    [
      'that answers null where it never did',
      { answer: object({ a: text }) },
      { answer: object({ a: nullableText }) },
      ['200/a: may be null now'],
    ],
    [
      'that answers another status',
      { status: '200' },
      { status: '202' },
      ['answers 202 now', 'no longer answers 200'],
    ],
    ['that has another name', {}, { more: { operationId: 'setThing' } }, ['is called setThing now']],
  ])('%s', (_case, was, is, changes) => {
    expect(between(was, is)).toEqual(changes);
  });

  test('that drops an operation', () => {
    expect(breakingChanges(documentOf('/things', {}), documentOf('/others', {}))).toEqual([
      'PUT /things is gone',
    ]);
  });
});

test('additions and looser rules break none', () => {
  const was = { query: [page], body: object({ a: text }, ['a']), answer: object({ a: nullableText }) };
  const is = {
    query: [
      { ...page, schema: { type: ['integer', 'null'], maximum: 10 } },
      { ...page, name: 'more' },
    ],
    body: object({ a: nullableText, b: text }, []),
    answer: object({ a: { type: 'string', enum: ['x', 'y'] }, b: text }, ['b']),
  };
  expect(between(was, is)).toEqual([]);
  expect(
    between(
      { ...was, answer: object({ a: { enum: ['x'] } }) },
      { ...is, answer: object({ a: { enum: ['x', 'y'] } }) },
    ),
  ).toEqual([]);
});
