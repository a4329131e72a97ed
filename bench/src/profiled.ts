/** Arguments by which Node keeps a CPU profile of a service in the folder that `variable` of the environment names, once it ends. */
export function profiled(variable: 'AUDIT_PROFILES' | 'NOTIFIER_PROFILES'): string[] {
  const folder = process.env[variable];
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
