import { SluiceError } from '@sluice/client';
import { fieldOf, isChangedMeanwhile, shownProblem } from './problems.ts';

const issue = (path: string) => ({ path, code: 'x', message: 'is wrong' });

test('an issue leads to its field', () => {
  const paths = ['/body/name', '/body/storage/size', '/query/page', '/body'];
  expect(paths.map((path) => fieldOf(issue(path)))).toEqual(['name', 'storage.size', undefined, undefined]);
});

test('a problem of the API is shown with its request id', () => {
  const error = new SluiceError({
    code: 'changed_meanwhile',
    status: 412,
    detail: 'Changed.',
    instance: 'r1',
  });
  expect(shownProblem(error)).toMatchObject({ code: 'changed_meanwhile', requestId: 'r1', retryable: false });
  expect(isChangedMeanwhile(error)).toBe(true);
});

test('what is no problem of the API is shown as well', () => {
  expect(shownProblem(new TypeError('x is not a function'))).toMatchObject({ code: 'console_error' });
  expect(isChangedMeanwhile(new Error('412'))).toBe(false);
});
