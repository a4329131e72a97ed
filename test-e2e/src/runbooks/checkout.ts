import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '@sluice/testing';

/** A checkout in `folder`, whose manifests can be changed: all else is the repository's. */
export async function checkoutIn(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout');
  await rm(checkout, { recursive: true, force: true });
  await mkdir(checkout, { recursive: true });
  for (const name of await readdir(repository))
    if (name !== 'k8s' && !name.startsWith('.')) await symlink(join(repository, name), join(checkout, name));
  await cp(join(repository, 'k8s'), join(checkout, 'k8s'), { recursive: true });
  return checkout;
}
