import type { Html } from '../pages/html.js';
import type { DeclaredDocumentTokens } from '../services/document-tokens.js';

/** The parts of a manifest that pages tell. */
export interface DocumentedModule {
  name: string;
  title: string;
  documentTokens?: DeclaredDocumentTokens;
}

/** A page at `/docs/{slug}` that explains a part of a module. */
export interface DocumentationPage {
  slug: string;
  title: string;
  /** What follows the heading. Called once, when the page is first read, with the manifests of all modules. */
  body(modules: readonly DocumentedModule[]): Html;
}
