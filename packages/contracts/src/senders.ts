/**
 * A sender of messages on NATS: a service, or the supervisor of one region. Each has a user of its own there, and all but the notifier
 * have keys of their own to sign with.
 */
export type Sender = 'main-api' | 'audit' | 'notifier' | `supervisor/${string}/${string}`;

/** The region of a supervisor. */
export interface RegionRef {
  cloud: string;
  region: string;
}

export const supervisorOf = ({ cloud, region }: RegionRef): Sender => `supervisor/${cloud}/${region}`;

const form = /^(main-api|audit|notifier|supervisor\/[a-z0-9_]{1,40}\/[a-z0-9-]{1,40})$/;

export function isSender(name: string): name is Sender {
  return form.test(name);
}

/** A sender as a part of subjects: `supervisor.cloud_a.us-east-1`. */
export const subjectPartOf = (sender: Sender) => sender.replaceAll('/', '.');
