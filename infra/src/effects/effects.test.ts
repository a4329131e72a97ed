import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApiDocument, type OpenApiDocument } from '@sluice/http';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../settings.ts';
import { requestFields } from './request-fields.ts';
import { testTitles } from './test-titles.ts';

const proof = z.strictObject({
  effect: z.string().min(1),
  in: z.string(),
  test: z.string(),
  /** a text for people: the test shows it in a second place */
  descriptive: z.literal(true).optional(),
});

const table = z
  .strictObject({
    files: z.record(z.string(), z.string()),
    proven: z.record(z.string(), z.record(z.string(), proof)),
  })
  .parse(parse(await readFile(join(repository, 'infra/src/effects/effects.yaml'), 'utf8')));

const documents = await Promise.all(
  ['main-api', 'supervisor', 'audit'].map((service) =>
    loadApiDocument(pathToFileURL(join(repository, 'services', service, 'openapi/'))),
  ),
);

test('each field of a request body is in the table once, and the table has no others', () => {
  const inTable = Object.entries(table.proven).flatMap(([schema, fields]) =>
    named(schema, Object.keys(fields)),
  );
  const inDocuments = Object.entries(requestFields(documents)).flatMap(([schema, fields]) =>
    named(schema, fields),
  );
  expect(inTable.sort()).toEqual(inDocuments.sort());
});

test('each test that the table names exists', async () => {
  const titles = new Map(
    await Promise.all(
      Object.entries(table.files).map(
        async ([name, path]) => [name, testTitles(await readFile(join(repository, path), 'utf8'))] as const,
      ),
    ),
  );
  const proofs = Object.entries(table.proven).flatMap(([schema, fields]) =>
    Object.entries(fields).map(([field, entry]) => ({ field: `${schema} ${field}`, ...entry })),
  );
  expect(proofs.filter((entry) => !titles.get(entry.in)?.has(entry.test))).toEqual([]);
  const used = new Set(proofs.map((entry) => entry.in));
  expect(Object.keys(table.files).filter((name) => !used.has(name))).toEqual([]);
});

test('fields are found in objects, arrays, maps, alternatives and references, which may contain themselves', () => {
  const document = {
    paths: {
      '/things': {
        post: {
          operationId: 'createThing',
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          properties: {
            list: { type: 'array', items: { properties: { count: {} } } },
            map: { additionalProperties: { properties: { inner: {} } } },
            one: { oneOf: [{ properties: { left: {} } }, { $ref: '#/components/schemas/Other' }] },
          },
          allOf: [{ properties: { all: {} } }],
        },
        Other: { properties: { name: {}, parent: { $ref: '#/components/schemas/Other' } } },
      },
    },
  } as unknown as OpenApiDocument;
  expect(requestFields([document])).toEqual({
    Other: ['name', 'parent'],
    Thing: ['all', 'list', 'list/*/count', 'map', 'map/*/inner', 'one', 'one/left'],
  });
});

test('titles are those of tests that run', () => {
  const source = `
    test('alone', () => {});
    describe('a group', () => { it('within', () => {}); test.each([1])('each %i', () => {}); });
    describe.each([1])('groups', () => { test('inner', () => {}); });
    test.skip('left out', () => {});
    test.todo('to do');
    // test('in a comment', () => {});
    const text = "test('in a text')";
    describe.skip('group left out', () => { test('in it', () => {}); });
    if (docker) test('with docker', () => {});
    const where = (name, run) => test(name, run);
    where('where it can be', () => {});
    const elsewhere = (name, run) => run(name);
    elsewhere('no test', () => {});
    // prettier-ignore
    test.each\`a\n\${1}\`('tagged $a', () => {});`;
  expect([...testTitles(source)]).toEqual([
    'alone',
    'within',
    'a group within',
    'each %i',
    'a group each %i',
    'inner',
    'groups inner',
    'with docker',
    'where it can be',
    'tagged $a',
  ]);
});

function named(schema: string, fields: readonly string[]): string[] {
  return fields.map((field) => `${schema} ${field}`);
}
