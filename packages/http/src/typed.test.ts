import { idOf, type DivisionId, type TenantId } from '@sluice/contracts';
import { noContent, ok } from './answers.ts';
import type { BodyOf, Handlers, ParamsOf } from './typed.ts';

/**
 * What must not compile. TypeScript checks it with the rest: an `@ts-expect-error` above a line without an error is an
 * error itself.
 */
interface Operations {
  getDivision: {
    parameters: { path: { tenant_id: TenantId; division_id: DivisionId } };
    responses: { 200: { content: { 'application/json': { id: DivisionId; name: string } } } };
  };
  deleteDivision: {
    parameters: { path: { tenant_id: TenantId; division_id: DivisionId } };
    requestBody: { content: { 'application/json': { reason: string } } };
    responses: { 204: Record<string, never> };
  };
}
const params: ParamsOf<Operations['getDivision']> = { tenant_id: idOf(1), division_id: idOf(2) };
const find = (tenant: TenantId, division: DivisionId) => ({ id: division, name: `of ${tenant}` });

const getDivision = {
  getDivision: async ({ params: { tenant_id, division_id } }) => ok(find(tenant_id, division_id)),
} satisfies Partial<Handlers<Operations>>;
const deleteDivision = {
  deleteDivision: async () => noContent(),
} satisfies Partial<Handlers<Operations>>;

test('ids of two kinds cannot be swapped', () => {
  // @ts-expect-error a division's id is no tenant's
  find(params.division_id, params.tenant_id);
  // @ts-expect-error a number is no id
  find(1, params.division_id);
  // @ts-expect-error nor are the ids of a path
  const swapped: typeof params = { tenant_id: params.division_id, division_id: params.tenant_id };
  expect(swapped).toEqual({ tenant_id: 2, division_id: 1 });
});

test('a handler cannot be left out, invented, or answer something else', async () => {
  const handlers: Handlers<Operations> = { ...getDivision, ...deleteDivision };
  expect(Object.keys(handlers)).toEqual(['getDivision', 'deleteDivision']);
  // @ts-expect-error deleteDivision is missing
  const incomplete: Handlers<Operations> = { ...getDivision };
  expect(Object.keys(incomplete)).toEqual(['getDivision']);
  // @ts-expect-error the document has no such operation
  const invented = { renameDivision: async () => noContent() } satisfies Partial<Handlers<Operations>>;
  expect(Object.keys(invented)).toEqual(['renameDivision']);
  const other = {
    // @ts-expect-error getDivision answers 200 with a body
    getDivision: async () => noContent(),
  } satisfies Partial<Handlers<Operations>>;
  expect((await other.getDivision()).status).toBe(204);
});

test('a body has the type that its operation declares', () => {
  const body: BodyOf<Operations['deleteDivision']> = { reason: 'unused' };
  // @ts-expect-error not a field of it
  expect(body.because).toBeUndefined();
});
