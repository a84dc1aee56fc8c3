import type { Html } from '../pages/html.js';
import type { DomainModuleOptions } from './domain-module.js';

/** A page at `/docs/{slug}` that explains a part of a module. */
export interface DocumentationPage {
  slug: string;
  title: string;
  /** What follows the heading. Called once, when the page is first read, with the manifests of all modules. */
  body(modules: readonly DomainModuleOptions[]): Html;
}
