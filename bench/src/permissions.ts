import {
  allows,
  compileRole,
  permissionCatalogue,
  scopes,
  systemRoles,
  type Permission,
  type Place,
  type RolePermissions,
  type Scope,
  idOf,
  type DivisionId,
  type EnvironmentId,
} from '@sluice/contracts';
import { createMongoAbility } from '@casl/ability';
import { newEnforcer, newModelFromString, StringAdapter } from 'casbin';
import { table } from './report.ts';

/**
 * What one permission check costs: the engine of the contracts against CASL and casbin, on the same roles and the
 * same questions in the same run. First all three have to give the same answers; each gets one set of rules per role
 * and every question prepared in its own form, so that only the check is measured. Aim: under 200 ns, and 20 times
 * faster than the faster of the two. Ends with exit code 1 when the answers differ.
 */
const rounds = 9;
const millisecondsEach = 60;

const roles: Record<string, RolePermissions> = {
  admin: systemRoles.admin,
  developer: systemRoles.developer,
  viewer: systemRoles.viewer,
  'with overrides': {
    tenant: ['info:read', 'division:read', 'member:manage'],
    division: ['info:read', 'environment:manage'],
    environment: ['deployment:read', 'deployment:config:read', 'deployment:telemetry:read'],
    divisions: {
      '1': {
        permissions: ['info:manage'],
        environment: ['deployment:manage', 'deployment:access:manage'],
        environments: { '11': ['deployment:read'], '12': [] },
      },
      '2': { environments: { '11': ['deployment:manage', 'deployment:credentials:read'] } },
    },
  },
};

interface Question {
  scope: Scope;
  permission: Permission;
  place: Place;
}

const divisions = [1, 2, 3].map((id) => idOf<DivisionId>(id));
const environments = [11, 12, 13].map((id) => idOf<EnvironmentId>(id));

const places = {
  tenant: [{}],
  division: divisions.map((division) => ({ division })),
  environment: divisions.flatMap((division) => [
    { division },
    ...environments.map((environment) => ({ division, environment })),
  ]),
} satisfies Record<Scope, Place[]>;

const questions: Question[] = scopes.flatMap((scope) =>
  permissionCatalogue[scope].flatMap(({ key }) =>
    places[scope].map((place) => ({ scope, permission: key as Permission, place })),
  ),
);

/** Answers all questions in order, 1 for yes. What is prepared beforehand is not part of the check. */
type Contender = (answers: Uint8Array) => void;

function sluice(role: RolePermissions): Contender {
  const compiled = compileRole(role);
  return (answers) => {
    let position = 0;
    for (const { scope, permission, place } of questions)
      answers[position++] = Number(allows(compiled, scope, permission as Permission<typeof scope>, place));
  };
}

function casl(role: RolePermissions): Contender {
  const ability = createMongoAbility(
    rulesOf(role).map(({ scope, permission, place, allowed }) => ({
      action: permission,
      subject: scope,
      inverted: !allowed,
      ...(Object.keys(place).length > 0 && { conditions: { ...place } }),
    })),
    // faster than subjects marked with the library's `subject()`
    { detectSubjectType: (subject) => (subject as { scope: Scope }).scope },
  );
  const prepared = questions.map(({ scope, permission, place }) => ({
    permission,
    subject: { scope, ...place },
  }));
  return (answers) => {
    let position = 0;
    for (const { permission, subject } of prepared)
      answers[position++] = Number(ability.can(permission, subject));
  };
}

const casbinModel = `
[request_definition]
r = obj, act
[policy_definition]
p = obj, act, eft
[policy_effect]
e = priority(p.eft) || deny
[matchers]
m = r.act == p.act && keyMatch(r.obj, p.obj)
`;

async function casbin(role: RolePermissions): Promise<Contender> {
  // the first policy that matches decides
  const policies = rulesOf(role)
    .reverse()
    .map(({ scope, permission, place, allowed }) => {
      return `p, ${pathOf(scope, place, '*')}, ${permission}, ${allowed ? 'allow' : 'deny'}`;
    });
  const enforcer = await newEnforcer(newModelFromString(casbinModel), new StringAdapter(policies.join('\n')));
  const prepared = questions.map(({ scope, permission, place }) => ({
    permission,
    path: pathOf(scope, place, 'any'),
  }));
  return (answers) => {
    let position = 0;
    for (const { path, permission } of prepared)
      answers[position++] = Number(enforcer.enforceSync(path, permission));
  };
}

/** `environment/1/11`; what the place leaves open is filled with `open`. */
function pathOf(scope: Scope, { division, environment }: Place, open: string): string {
  if (scope === 'tenant') return scope;
  if (division === undefined) return `${scope}/${open}`;
  return scope === 'division' ? `${scope}/${division}` : `${scope}/${division}/${environment ?? open}`;
}

interface Rule extends Question {
  allowed: boolean;
}

/** A role as a list of rules from the general to the particular, of which the last that matches decides. */
function rulesOf(role: RolePermissions): Rule[] {
  const division = rulesBetween('division', {}, [], role.division);
  const environment = rulesBetween('environment', {}, [], role.environment);
  const overrides = Object.entries(role.divisions).flatMap(([id, override]) => {
    const place = { division: idOf<DivisionId>(id) };
    const inherited = override.environment ?? role.environment;
    return [
      ...rulesBetween('division', place, role.division, override.permissions ?? role.division),
      ...rulesBetween('environment', place, role.environment, inherited),
      ...Object.entries(override.environments ?? {}).flatMap(([env, names]) =>
        rulesBetween('environment', { ...place, environment: idOf<EnvironmentId>(env) }, inherited, names),
      ),
    ];
  });
  return [...rulesBetween('tenant', {}, [], role.tenant), ...division, ...environment, ...overrides];
}

/** The rules that turn what is held around a place into what is held in it. */
function rulesBetween(scope: Scope, place: Place, around: string[], within: string[]): Rule[] {
  const [before, after] = [withRead(around), withRead(within)];
  return permissionCatalogue[scope].flatMap(({ key }) => {
    if (before.has(key) === after.has(key)) return [];
    return [{ scope, permission: key as Permission, place, allowed: after.has(key) }];
  });
}

const withRead = (names: string[]) =>
  new Set(names.flatMap((name) => [name, name.replace(/:manage$/, ':read')]));

/** Nanoseconds per check, measured for a while. */
function measure(contender: Contender): number {
  const answers = new Uint8Array(questions.length);
  const begun = performance.now();
  let passes = 0;
  while (performance.now() - begun < millisecondsEach) {
    contender(answers);
    passes++;
  }
  return ((performance.now() - begun) * 1e6) / (passes * questions.length);
}

const names = ['Sluice', 'CASL', 'casbin'] as const;
type PerContender<T> = Record<(typeof names)[number], T>;

/** The first question to which a contender's answer is not Sluice's, in words. */
function difference(contenders: PerContender<Contender>): string | undefined {
  const [expected, actual] = [new Uint8Array(questions.length), new Uint8Array(questions.length)];
  contenders.Sluice(expected);
  for (const name of names) {
    contenders[name](actual);
    const position = actual.findIndex((answer, at) => answer !== expected[at]);
    if (position >= 0) return `${name} answers ${JSON.stringify(questions[position])} differently`;
  }
  return undefined;
}

/** The median over all rounds; contenders take turns, and one round before warms up. */
function medians(contenders: PerContender<Contender>): PerContender<number> {
  const measured: PerContender<number[]> = { Sluice: [], CASL: [], casbin: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const nanoseconds = measure(contenders[name]);
      if (round > 0) measured[name].push(nanoseconds);
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return { Sluice: median(measured.Sluice), CASL: median(measured.CASL), casbin: median(measured.casbin) };
}

const rows: string[][] = [];
for (const [name, role] of Object.entries(roles)) {
  const contenders = { Sluice: sluice(role), CASL: casl(role), casbin: await casbin(role) };
  const wrong = difference(contenders);
  if (wrong !== undefined) {
    process.stderr.write(`${name}: ${wrong}\n`);
    process.exit(1);
  }
  const { Sluice, CASL, casbin: Casbin } = medians(contenders);
  const times = [Sluice, CASL, Casbin].map((nanoseconds) => nanoseconds.toFixed(0));
  rows.push([name, ...times, (Math.min(CASL, Casbin) / Sluice).toFixed(1)]);
}
process.stdout.write(
  `${table(['ns per check', ...names, 'next/Sluice'], rows)}\n` +
    `${questions.length} questions per role, median of ${rounds} rounds; aim: under 200 ns, next/Sluice 20 or more\n`,
);
