import { labelLines, labelsIn } from './labels.ts';

test('labels are read as they were written', () => {
  const labels = { team: 'payments', 'example.com/stage': '' };
  expect(labelsIn(labelLines(labels))).toEqual({ labels });
  expect(labelsIn(' a = b=c \n\n')).toEqual({ labels: { a: 'b=c' } });
});

test('a line without a key is named', () => {
  expect(labelsIn('a=1\nteam').wrong).toBe('team');
  expect(labelsIn('=x').wrong).toBe('=x');
});
