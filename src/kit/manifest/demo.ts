import type { Ctx, Mode } from '../callers/ctx.js';

/** The members of the demo workspace by first name: its owner, an admin, a developer and a member. */
export type DemoPerson = 'ada' | 'grace' | 'liam' | 'mei';

export interface DemoMember {
  id: string;
  email: string;
  role: string;
}

export interface DemoProject {
  id: string;
  key: string;
  name: string;
}

/**
 * The demo workspace, while a module adds its part. All contexts are one object: the last call decides for whom and in which mode all
 * following changes are made, so steps must run one after the other.
 */
export interface DemoWorkspace {
  /** ENG and OPS, and what the users of the workspace added. */
  readonly projects: readonly DemoProject[];
  /** Those of the demo that are active. */
  readonly members: readonly DemoMember[];
  /**
   * Whether everything is made, configuration and live data included. False when `work-suite demo:seed` makes the test data again: what
   * both modes share is there then.
   */
  readonly isNew: boolean;
  /** The modes of the records that are made: both, or test mode alone. */
  readonly modes: readonly Mode[];
  /** A service of the module. */
  get<T>(service: abstract new (...args: never[]) => T): T;
  /** The project with the key; the first if it was archived. */
  project(key: 'ENG' | 'OPS'): DemoProject;
  /** The member; the first if the person was deactivated. */
  member(person: DemoPerson): DemoMember;
  as(person: DemoPerson, mode: Mode): Ctx;
  /** A visitor in live mode. */
  asGuest(email: string): Ctx;
  /** No person, in live mode. */
  asSystem(): Ctx;
}

/** An address of the module that people open or send something to. `npm start` prints it, and `demo.json` has it as `{name}_url`. */
export interface DemoAddress {
  name: string;
  /** At most ten characters. */
  label: string;
  /** A function makes a path with a secret. It is called if `demo.json` does not have the path yet. */
  path: string | ((workspace: DemoWorkspace) => Promise<string>);
}

/** The module's part of the workspace that `npm start` creates in development. */
export interface ModuleDemo {
  /**
   * Creates the samples in one transaction, once for a workspace: with the workspace, or at the first start with the module. Projects
   * are set up for the module before. Those of test mode are made again by `work-suite demo:seed`, see `isNew` and `modes`.
   */
  seed(workspace: DemoWorkspace): Promise<void>;
  /** Whether the part comes after those of other modules because it reacts to their events, which their samples should not cause. */
  last?: true;
  addresses?: readonly DemoAddress[];
  /** Request bodies, or parts of them, that are valid as they are; `demo.json` has them in `samples` under the module's name. */
  samples?(workspace: DemoWorkspace): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>>;
  /**
   * What a record must be like so that an operation works on it, by operation: `{ send_invoice: { status: 'draft' } }`; a list has several
   * values of which one is enough. `send_invoice.contact_id` is about the record of that argument, which needs its `object`, too. The
   * samples of the documentation name such a record of the demo; if there is none, they say what to replace.
   */
  fits?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By operation and argument, the member of that record whose value samples send: `{ pay_invoice: { amount: 'totals.balance' } }`. */
  sends?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The role of the member to whom keys of the module are bound, and the modes; by default `developer` and test mode. */
  boundKeys?: { role: string; modes: readonly Mode[] };
  /** A call that `npm start` prints as a command; the first module that has one is chosen. */
  firstCall?: { text: string; scope: string; path: string; body(projectId: string): object };
}
