import type { FileResponse, Html } from '../../kit/index.js';
import type { PasswordFields } from './form.js';
import type { Parameters } from './parameters.js';
import type { Required } from './required.js';
import type { Values } from './values.js';
import type { Visit } from './visit.js';

/** The groups of the navigation, in order. Within a group, pages stand in the order of the page table. */
export const NAV_GROUPS = ['', 'Access', 'Deliveries', 'Activity', 'Automation', 'Organization', 'Your account'] as const;
export type NavGroup = (typeof NAV_GROUPS)[number];

/** A page of the console. Whatever it shows and does, it asks the product's operations for, which decide on their own. */
export interface PageDefinition {
  /** Below `/console`, with parameters as `:id`; empty for the overview. */
  path: string;
  /** Names the page in the navigation and in the tab of the browser. */
  title: string;
  permission: Required;
  /** The operations that it cannot do without: the rights matrix compares their permissions with the page's. */
  operations: readonly string[];
  /** Where it stands in the navigation; pages that lead on from another one have none. */
  nav?: NavGroup;
  /** Whether it has served its purpose for the member, so that the navigation leaves it out. */
  isOver?(visit: Visit): Promise<boolean>;
  /** It shows live or test data, as `?mode=` says, and has the switch. */
  hasMode?: boolean;
  /** What its address can say, such as filters. The frame refuses what it cannot mean, and ignores what nobody declares. */
  parameters?: Parameters;
  /** The texts of `?done=`, with which an action leads back here. */
  notices?: Readonly<Record<string, string>>;
  show(visit: Visit): Promise<Shown> | Shown;
  /** What its forms do, by the name given to `visit.form`. */
  actions?: Readonly<Record<string, Action>>;
}

export interface Action {
  /** In addition to the page's. */
  permission?: Exclude<Required, null>;
  /** The operations it calls. */
  operations: readonly string[];
  /** Above the problems of a form that was refused, such as "The key was not created". */
  refusal: string;
  /** The names of form fields by those parameters of the operation that are named differently. */
  fields?: Readonly<Record<string, string>>;
  /** The fields that are passwords, with their labels: a page that asks to send the form again has them typed again. */
  passwords?: PasswordFields;
  /** Errors of calls may be thrown on: the form is shown again with its values and what was wrong. */
  run(visit: Visit, values: Values): Promise<Shown>;
}

/** What a page or action answers with: content within the frame, a file, or another page (`leadTo`). */
export type Shown = View | FileResponse;

export interface View {
  /** The heading. */
  title: string;
  /** The pages above this one: where they are and what they are called. */
  above?: readonly { path: string; label: string }[];
  /** A sentence below the heading. */
  lead?: string | Html;
  /** Of the one thing that a page without a switch shows. */
  mode?: string;
  /** Links and buttons beside the heading. */
  tools?: Html;
  body: Html;
  /** 200 unless given. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** Returns its argument, typed. */
export function definePage(definition: PageDefinition): PageDefinition {
  return definition;
}
