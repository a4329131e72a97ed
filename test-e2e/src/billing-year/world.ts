import type { DeploymentId, DeploymentStatus } from '@sluice/contracts';
import { seededRandom } from '../storm/random.ts';
import { Agenda, orders } from './agenda.ts';
import { insertCredit, insertDiscount } from './agreements.ts';
import { Databases } from './databases.ts';
import { MainApi, type Made } from './main-api.ts';
import type { KnownAt } from './naive.ts';
import {
  createSeconds,
  followSeconds,
  lookSeconds,
  presentAt,
  quietFrom,
  type Action,
  type Plan,
  type PlannedDeployment,
} from './plan.ts';
import type { Played } from './played.ts';
import { newLine, Post, type Counts } from './post.ts';
import { Region, type Message } from './region.ts';

const day = 86_400;

/** Lets a plan happen, on real databases and with the services' own code, and with faults. */
export class World {
  readonly plan: Plan;
  readonly main: MainApi;
  readonly made = new Map<number, Made>();
  readonly known: KnownAt = new Map();
  readonly counts: Counts = {
    messages: 0,
    delayed: 0,
    doubled: 0,
    parallel: 0,
    before: 0,
    after: 0,
    restores: 0,
  };
  readonly #databases: Databases;
  readonly #regions: Played[];
  readonly #agenda = new Agenda();
  readonly #random: () => number;
  readonly #post: Post;
  #now: number;

  /** @param server PostgreSQL, as a superuser; `kills` is the share of transactions that are killed */
  constructor(plan: Plan, server: string, kills: number) {
    this.plan = plan;
    this.#now = plan.begin;
    this.#random = seededRandom(plan.seed + 1);
    this.#databases = new Databases(server, `year_${process.pid}_${plan.seed}`);
    const killing = { random: this.#random, share: kills, done: this.counts };
    this.main = new MainApi(plan, this.#databases, killing);
    this.#regions = plan.regions.map((place, index) => ({
      region: new Region(index, place, this.#databases, killing),
      ...{ waits: false, held: [], following: new Map(), creating: new Set(), looksAt: Infinity },
      line: newLine(place),
    }));
    this.#post = new Post(this.main, {
      ...{ random: this.#random, counts: this.counts },
      later: (seconds, run) => this.#agenda.add(this.#now + seconds, orders.message, run),
      answer: () => this.#command(),
    });
  }

  /** @param check called some hours into each month, and at the end; everything that was sent has come by then */
  async run(check: (at: number) => Promise<void>): Promise<void> {
    await this.main.make();
    for (const { region } of this.#regions) await region.make();
    for (const played of this.#regions) await this.#report(played);
    this.#schedule(check);
    this.#scheduleMoney();
    for (let step = this.#agenda.next(); step && step.at <= this.plan.end; step = this.#agenda.next()) {
      this.#now = step.at;
      this.main.time = step.at;
      for (const { region } of this.#regions) region.time = step.at;
      await step.run();
    }
  }

  async end(): Promise<void> {
    await this.main.close();
    for (const { region } of this.#regions) await region.close();
    await this.#databases.dropAll();
  }

  metersOf = (region: number) => this.#regions[region]!.region.meters();

  #scheduleMoney(): void {
    const { priceChanges, credits, discounts } = this.plan;
    const at = (time: number, run: () => Promise<unknown>) =>
      this.#agenda.add(time, orders.action, async () => void (await run()));
    for (const change of priceChanges)
      at(change.at, async () => {
        await this.main.publish(change);
        await this.#command();
      });
    for (const credit of credits) at(credit.at, () => insertCredit(this.main.database, credit));
    for (const discount of discounts) at(discount.at, () => insertDiscount(this.main.database, discount));
  }

  #schedule(check: (at: number) => Promise<void>): void {
    const { plan } = this;
    const at = (time: number, order: number, run: () => Promise<void>) => this.#agenda.add(time, order, run);
    for (const deployment of plan.deployments)
      for (const action of deployment.actions)
        at(action.at, orders.action, () => this.#act(deployment, action));
    for (const restore of plan.regionRestores) {
      const played = this.#regions[restore.region]!;
      at(restore.copyAt - 600, orders.look, () => this.#look(played));
      at(restore.copyAt, orders.fault, async () => {
        await played.region.copy();
        played.line.copied = played.line.reported.copy();
      });
      at(restore.at - 1_200, orders.look, () => this.#look(played));
      at(restore.at, orders.fault, () => this.#restoreRegion(played));
      at(restore.answerAt, orders.answer, () => this.#answer(played, restore));
    }
    for (const restore of plan.mainRestores) {
      at(restore.copyAt, orders.fault, async () => {
        await this.#post.flush();
        await this.main.copy();
        this.#post.copy();
      });
      at(restore.at, orders.mainRestored, () => this.#restoreMain());
    }
    // regions look every hour; an interval that goes on is reported again as a whole, so some of those hours are as good as all
    for (const played of this.#regions)
      for (let time = plan.begin + 3_600; time < plan.end; time += Math.floor(this.#random() * 6 * day))
        this.#lookAt(played, Math.ceil(time / lookSeconds) * lookSeconds);
    for (let month = plan.begin; month < plan.end;) {
      const date = new Date(month * 1000);
      month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
      at(month >= plan.end ? plan.end : quietFrom(plan, month + 7_205), orders.check, async () => {
        // an invoice waits until regions say that they have reported its month; what is late all the same is a correction of the next one
        for (const played of this.#regions) await this.#report(played);
        await this.main.invoice();
        await this.#agree();
        await check(this.#now);
      });
    }
  }

  #present = ({ region }: Played, time: number) => presentAt(this.plan, region.index, time);

  async #act(deployment: PlannedDeployment, action: Action): Promise<void> {
    const played = this.#regions[deployment.region]!;
    const { region } = played;
    if (action.do === 'create') {
      this.made.set(deployment.key, await this.main.create(deployment, action));
      return await this.#command();
    }
    const made = this.made.get(deployment.key);
    if (!made || !(await this.main.known()).has(made.id)) return;
    const { id } = made;
    const is = (await region.statuses()).get(id);
    const isTwice = this.#random() < 0.2;
    switch (action.do) {
      case 'stop':
        await region.setStopped(id, true);
        await region.enter(id, ['initialized'], 'stopped', isTwice);
        break;
      case 'start':
        await region.setStopped(id, false);
        if (is?.limited === false) await region.enter(id, ['stopped'], 'initialized', isTwice);
        break;
      case 'upgrade':
      case 'extend':
        if (is?.status !== 'initialized' || is.limited) return;
        if (!(await this.main.change(id, action))) return;
        await this.#command();
        await region.beginUpgrade(id);
        this.#agenda.add(this.#present(played, this.#now + action.seconds), orders.change, async () => {
          await region.endUpgrade(id);
          await this.#after(played);
        });
        break;
      default:
        await this.main.change(id, action);
        await this.#command();
    }
    await this.#after(played);
  }

  /** Sends what main-api has told the regions. */
  async #command(): Promise<void> {
    for (const message of await this.main.commands()) {
      const [, , cloud, name] = message.subject.split('.');
      const played = this.#regions.find(
        ({ region: { place } }) => place.cloud === cloud && place.region === name,
      )!;
      if (played.waits) played.held.push(message);
      else await this.#take(played, message);
      if (this.#random() < 0.03) {
        this.counts.doubled++;
        const again = this.#present(played, this.#now + Math.floor(this.#random() * day));
        this.#agenda.add(again, orders.message, () =>
          played.waits ? Promise.resolve() : this.#take(played, message),
        );
      }
    }
  }

  async #take(played: Played, { subject, payload }: Message): Promise<void> {
    const present = this.#present(played, this.#now);
    if (present > this.#now)
      return this.#agenda.add(present, orders.change, () => this.#take(played, { subject, payload }));
    const { region, creating } = played;
    const type = subject.split('.').at(-1)!;
    const { data } = JSON.parse(payload) as {
      data: { deployment_id?: DeploymentId; deployment?: { id: DeploymentId } };
    };
    await region.take(type, data);
    const id = data.deployment?.id ?? data.deployment_id;
    const status = id === undefined ? undefined : (await region.statuses()).get(id)?.status;
    if (id !== undefined && status === 'creating' && !creating.has(id)) {
      creating.add(id);
      this.#agenda.add(this.#now + createSeconds, orders.change, async () => {
        creating.delete(id);
        await region.enter(id, ['creating'], 'initialized');
        await this.#after(played);
      });
    }
    if (id !== undefined && type === 'deployment_delete' && status !== undefined) {
      const all: DeploymentStatus[] = ['creating', 'initialized', 'stopped', 'upgrading', 'extending'];
      await region.enter(id, all, 'deleting');
      await region.remove(id);
    }
    await this.#after(played);
  }

  /** Sends what a region has said, and plans what follows there. */
  async #after(played: Played): Promise<void> {
    const { region, following } = played;
    await this.#post.send(played.line, await region.messages());
    if (played.waits) return;
    const outlook = await region.outlook();
    for (const id of following.keys()) if (!outlook.following.includes(id)) following.delete(id);
    for (const id of outlook.following) {
      if (following.has(id)) continue;
      const at = this.#now + followSeconds;
      following.set(id, at);
      this.#agenda.add(this.#present(played, at), orders.change, () => this.#follow(played, id, at));
    }
    if (outlook.due !== null) {
      const due = Math.ceil(Math.max(outlook.due, this.#now + 1) / lookSeconds) * lookSeconds;
      if (this.#present(played, due) < played.looksAt) this.#lookAt(played, this.#present(played, due), true);
    }
  }

  async #follow(played: Played, id: DeploymentId, at: number): Promise<void> {
    if (played.following.get(id) !== at) return;
    played.following.delete(id);
    const is = (await played.region.statuses()).get(id);
    if (is?.rests) await played.region.enter(id, ['initialized'], 'stopped');
    else await played.region.enter(id, ['stopped'], 'initialized');
    await this.#after(played);
  }

  #lookAt(played: Played, at: number, isDue = false): void {
    if (isDue) played.looksAt = at;
    this.#agenda.add(at, orders.look, async () => {
      if (isDue && played.looksAt === at) played.looksAt = Infinity;
      await this.#look(played);
    });
  }

  async #look(played: Played): Promise<void> {
    if (played.waits || this.#present(played, this.#now) > this.#now) return;
    await played.region.look(this.#random() < 0.3);
    await this.#after(played);
  }

  async #report(played: Played): Promise<void> {
    if (this.#present(played, this.#now) > this.#now) return;
    await played.region.inventory();
    await this.#after(played);
  }

  /** As it is once regions have looked, and main-api has compared what they have. */
  async #agree(): Promise<void> {
    for (const played of this.#regions) await this.#look(played);
    await this.#post.flush();
    for (const played of this.#regions) await this.#report(played);
    await this.#post.flush();
  }

  async #restoreRegion(played: Played): Promise<void> {
    this.counts.restores++;
    played.waits = true;
    played.line.restores++;
    played.following.clear();
    played.creating.clear();
    await played.region.restore();
  }

  /** The region asks main-api, and is answered. */
  async #answer(played: Played, restore: Plan['regionRestores'][number]): Promise<void> {
    const known = this.#post.answered(played.line);
    const ours = this.plan.deployments.filter(({ region }) => region === restore.region);
    this.known.set(
      restore,
      new Map(ours.map(({ key }) => [key, known.spansOf(this.made.get(key)?.uid ?? '')])),
    );
    played.waits = false;
    await this.#report(played);
    for (const message of played.held.splice(0)) await this.#take(played, message);
  }

  async #restoreMain(): Promise<void> {
    this.counts.restores++;
    this.#post.restore(this.#regions.map(({ line }) => line));
    await this.main.restore();
    for (const played of this.#regions) await this.#report(played);
  }
}
