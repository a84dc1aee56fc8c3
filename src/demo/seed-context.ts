import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import {
  Store,
  type Actor,
  type Ctx,
  type DefaultRole,
  type DemoMember,
  type DemoPerson,
  type DemoProject,
  type DemoWorkspace,
  type Mode,
  type ModuleDemo,
  type Secret,
} from '../kit/index.js';
import { newId, type Manifest } from '../kit/internal.js';
import { PermissionRegistry } from '../platform/registry/permission-registry.js';
import { CallContext } from '../platform/persistence/transactions/call-context.js';
import type { PgStore } from '../platform/persistence/transactions/pg-store.js';
import { activeMembers, PEOPLE } from './people.js';
import { activeProjects } from './workspace.js';

export type DemoModule = Manifest & { readonly demo: ModuleDemo };

const NONE: ReadonlySet<string> = new Set();
const SYSTEM: Actor = { type: 'system', id: null, email: null };

/**
 * The context of the seed. Unlike a request's context it changes mode and actor, so that one transaction can contain data of
 * both modes and of several members. Steps must run one after the other: a concurrent step would get the wrong actor.
 */
export class SeedContext extends CallContext {
  declare mode: Mode;
  declare actor: Actor;
  declare memberId: string | null;
  declare permissions: ReadonlySet<string>;

  constructor(
    organizationId: string,
    private readonly known: PermissionRegistry,
    seed?: Secret,
  ) {
    super('demo', organizationId, null, 'live', SYSTEM, null, NONE, NONE);
    if (seed) this.fixIds(seed);
  }

  /** The part of the seed that runs: with a seed, its ids do not depend on other parts. */
  part = '';

  /** The n-th row of a part and mode has the same id in each database. As others, ids are in the order of creation. */
  private fixIds(seed: Secret): void {
    const counts = new Map<string, number>();
    this.newId = (scoping) => {
      // mails are kept for some time, which their ids tell
      if (scoping === 'organization' && this.part !== '') return newId();
      const series = `${this.part} ${this.mode}`;
      const count = (counts.get(series) ?? 0) + 1;
      counts.set(series, count);
      return fixedId(`${seed.reveal()} ${series} ${count}`, count);
    };
  }

  /** Makes this member and mode apply to all following changes. */
  as({ id, email, role }: DemoMember, mode: Mode): this {
    this.mode = mode;
    this.actor = { type: 'user', id, email };
    this.memberId = id;
    this.permissions = new Set(this.known.defaults.get(role as DefaultRole));
    return this;
  }

  /** Makes a visitor, who is always in live mode, apply to all following changes. */
  asGuest(email: string): this {
    this.mode = 'live';
    this.actor = { type: 'guest', id: null, email };
    this.memberId = null;
    this.permissions = NONE;
    return this;
  }

  asSystem(): this {
    this.mode = 'live';
    this.actor = SYSTEM;
    this.memberId = null;
    this.permissions = NONE;
    return this;
  }
}

/** A time before that of every other id, in milliseconds. */
const FIRST_ID = Date.UTC(2020, 0, 1);

/** A UUID v7 that follows from a text. */
function fixedId(text: string, count: number): string {
  const time = (FIRST_ID + count).toString(16).padStart(12, '0');
  const random = createHash('sha256').update(`${text} id`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

const BOTH_MODES: readonly Mode[] = ['live', 'test'];

/** What the modules get to create their parts. */
export class SeedWorkspace implements DemoWorkspace {
  private constructor(
    private readonly app: INestApplicationContext,
    private readonly ctx: SeedContext,
    readonly projects: readonly DemoProject[],
    readonly members: readonly DemoMember[],
    readonly isNew: boolean,
  ) {}

  static async of(app: INestApplicationContext, ctx: SeedContext, { isNew = true } = {}): Promise<SeedWorkspace> {
    return new SeedWorkspace(app, ctx, await activeProjects(app, ctx), await activeMembers(app, ctx), isNew);
  }

  get modes(): readonly Mode[] {
    return this.isNew ? BOTH_MODES : ['test'];
  }

  /** Runs the part of a module. */
  async seed({ name, demo }: DemoModule): Promise<void> {
    this.ctx.part = name;
    await demo.seed(this);
    this.ctx.asSystem().part = '';
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.app.get<T>(service as never);
  }

  project(key: string): DemoProject {
    return this.projects.find((project) => project.key === key) ?? this.projects[0];
  }

  member(person: DemoPerson): DemoMember {
    return this.members.find(({ email }) => email === PEOPLE[person].email) ?? this.members[0];
  }

  as(person: DemoPerson, mode: Mode): Ctx {
    return this.ctx.as(this.member(person), mode);
  }

  asGuest(email: string): Ctx {
    return this.ctx.asGuest(email);
  }

  asSystem(): Ctx {
    return this.ctx.asSystem();
  }
}

/** Runs a seed in one transaction. */
export async function inOneTransaction<R>(
  app: INestApplicationContext,
  organizationId: string,
  seed: (ctx: SeedContext) => Promise<R>,
  fixed?: Secret,
): Promise<R> {
  const ctx = new SeedContext(organizationId, app.get(PermissionRegistry), fixed);
  const unit = app.get<PgStore>(Store).begin(ctx);
  ctx.unitOfWork = unit;
  // the seed may run again
  return unit.execute(() => seed(ctx.asSystem()));
}
