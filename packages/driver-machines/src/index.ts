import { defineDriver } from '@sluice/drivers';
import { createEnrolDriver } from './enrol-driver.ts';

export { enrolmentCommand, enrolmentScript } from './command.ts';
export { nodePrograms, type Programs } from './programs.ts';

export const drivers = [
  defineDriver({
    name: 'enrol',
    settings: {},
    byoc: { create: async ({ nodes }) => ({ compute: createEnrolDriver(nodes) }) },
  }),
];
