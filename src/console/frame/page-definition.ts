import type { ConsolePage, FileResponse, Html } from '../../kit/index.js';
import type { IconName } from '../../kit/internal.js';
import type { PasswordFields } from './form.js';
import type { Parameters } from './parameters.js';
import type { Required } from './required.js';
import type { Values } from './values.js';
import type { Visit } from './visit.js';

/** The groups of the navigation, in order. Within a group, pages have the order of the page table. */
export const NAV_GROUPS = ['', 'Access', 'Deliveries', 'Activity', 'Automation', 'Organization', 'Your account'] as const;
export type NavGroup = (typeof NAV_GROUPS)[number];

/** A page of the console. It shows and does everything through the product's operations, which check access themselves. */
export interface PageDefinition extends ConsolePage {
  permission: Required;
  /** The operations that it requires. A test compares their permissions with the page's. */
  operations: readonly string[];
  /** Its group in the navigation; subpages have none. */
  nav?: NavGroup;
  /** Beside its title in the navigation. */
  icon?: IconName;
  /** The address of the documentation that explains it; of pages of a module, that of the first operation by default. */
  docs?: string;
  /** Whether the member no longer needs it, so that the navigation leaves it out. */
  isCompleted?(visit: Visit): Promise<boolean>;
  /** It shows live or test data, as `?mode=` says, and has the switch. */
  hasMode?: boolean;
  /** The parameters of its address, such as filters. The frame rejects invalid values and ignores undeclared parameters. */
  parameters?: Parameters;
  /** The texts of `?done=`, with which an action redirects back here. */
  notices?: Readonly<Record<string, string>>;
  show(visit: Visit): Promise<PageResult> | PageResult;
  /** The actions of its forms, by the name given to `visit.form`. */
  actions?: Readonly<Record<string, Action>>;
}

export interface Action {
  /** Required in addition to the page's. */
  permission?: Exclude<Required, null>;
  /** The operations it calls. */
  operations: readonly string[];
  /** The heading above the problems of a rejected form, such as "The key was not created". */
  refusal: string;
  /** The names of form fields by those parameters of the operation that are named differently. */
  fields?: Readonly<Record<string, string>>;
  /** The password fields with their labels: they must be typed again when the form is shown again. */
  passwords?: PasswordFields;
  /** Errors of calls may be rethrown: the form is then shown again with its values and the problems. */
  run(visit: Visit, values: Values): Promise<PageResult>;
}

/** The result of a page or action: content within the frame, a file, or a redirect to another page (`leadTo`). */
export type PageResult = View | FileResponse;

export interface View {
  /** The heading. */
  title: string;
  /** The pages above this one: where they are and what they are called. */
  above?: readonly { path: string; label: string }[];
  /** A sentence below the heading. */
  lead?: string | Html;
  /** The mode of the resource, for a page without a mode switch. */
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
