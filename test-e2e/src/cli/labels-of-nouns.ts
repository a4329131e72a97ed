import type { Program } from './program.ts';

type Refused = (args: string[], code: number, said: RegExp) => Promise<void>;

/** Labels of places as options, and `deployments edit`, with the deployment `default/nouns/nouns`. */
export function labelTests(program: () => Program, refused: Refused): void {
  const names = async (...args: string[]) => (await program().run([...args, '-o', 'name'])).stdout;

  test('labels: given, filtered by, changed one at a time, and shown', async () => {
    const sluice = program();
    const labels = ['--label', 'team=payments', '--label', 'stage=live'];
    await sluice.json('divisions', 'create', 'labelled', ...labels);
    await sluice.json('environments', 'create', 'labelled/dev', '--label', 'team=payments');
    expect(await names('divisions', 'list', '--label', 'team=payments', '--label', 'stage')).toBe(
      'labelled\n',
    );
    expect(await names('environments', 'list', '--label', 'team=payments')).toBe('labelled/dev\n');
    expect(await names('divisions', 'list', '--label', 'team=search')).toBe('');

    const edit = ['deployments', 'edit', 'nouns'];
    expect(await sluice.run([...edit, ...labels, '--description', 'Takes orders'])).toMatchObject({
      code: 0,
    });
    expect(await names('deployments', 'list', '--label', 'stage=live')).toBe('default/nouns/nouns\n');
    const change = [...edit, '--label', 'team=shop', '--remove-label', 'stage', '--no-description'];
    expect(await sluice.json(...change, '--dry-run')).toMatchObject({
      method: 'PUT',
      headers: { 'if-match': expect.stringMatching(/^"/) as unknown },
      body: { description: null, labels: { team: 'shop' } },
    });
    expect(await sluice.run(change)).toMatchObject({ code: 0, stdout: '' });
    expect(await sluice.json('deployments', 'show', 'nouns')).toMatchObject({
      ...{ description: null, labels: { team: 'shop' } },
    });
    expect((await sluice.run(['deployments', 'show', 'nouns'])).stdout).toMatch(/Labels +team=shop/);
    expect(await sluice.run([...edit, '--remove-label', 'team'])).toMatchObject({ code: 0 });

    await refused(edit, 2, /What shall change/);
    await refused([...edit, '--dry-run'], 2, /What shall change/);
    await refused([...edit, '--label', 'team'], 2, /team=payments/);
    await refused([...edit, '--remove-label', 'team'], 2, /no label team/);
    await refused([...edit, '--label', '/=x'], 7, /label/);
    for (const noun of ['environments', 'divisions'])
      expect(
        await sluice.run([
          noun,
          'edit',
          noun === 'divisions' ? 'labelled' : 'labelled/dev',
          '--label',
          'a=b',
        ]),
      ).toMatchObject({ code: 0 });
    expect(await sluice.json('divisions', 'edit', 'labelled', '--name', 'x', '--dry-run')).toMatchObject({
      body: { name: 'x' },
    });
    expect(await sluice.run(['divisions', 'delete', 'labelled', '--yes'])).toMatchObject({ code: 0 });
  }, 120_000);
}
