export { people, type Person } from './people.ts';
export { LocalSignIn, type LocalSignInOptions } from './provider.ts';
