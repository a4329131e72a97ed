import type { Command } from 'commander';
import { dollars, duration, integer } from '@sluice/terminal/options';
import { labelled } from '../places/labels.ts';

/** What a deployment is made of, and its price follows from. */
export const shaped = (command: Command): Command =>
  command
    .requiredOption('--cloud <cloud>', 'its cloud, such as cloud_a')
    .requiredOption('--region <region>', 'its region')
    .requiredOption('--tier <tier>', 'its tier, such as small')
    .option('--storage-type <type>', 'the storage; unless given that of the tier')
    .option('--storage-size <gigabytes>', 'gigabytes of network storage', integer)
    .option('--throughput <kilobytes>', 'KB/s that are expected, for planning', integer)
    .option('--availability <mode>', 'single_az or multi_az: in how many zones')
    .option('--encrypted', 'the broker encrypts what it stores')
    .option('--dedicated', 'no other tenant uses its machines')
    .option('--no-public-ip', 'it gets no public address');

/** What else is decided when a deployment is created. */
export const created = (command: Command): Command =>
  labelled(command)
    .option('--cluster <kind>', 'standalone, or cluster for several nodes', 'standalone')
    .option('--protected', 'its deletion needs a one-time code')
    .option('--no-subdomain', 'it gets no domain of its own')
    .option('--spend-limit <dollars>', 'what it may cost in a month', dollars)
    .option('--retention <duration>', 'how long metrics, logs and heartbeats are kept, such as 7d', duration);
