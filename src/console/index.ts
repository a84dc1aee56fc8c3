// What the pages of modules import: the files in `src/modules/<name>/console/`, which the manifest lists in `pages`.
export { definePage, type Action, type PageDefinition, type PageResult, type View } from './frame/page-definition.js';
export { tabParameter } from './frame/parameters.js';
export type { Values } from './frame/values.js';
export type { Visit } from './frame/visit.js';

export { actorNames } from './components/actor.js';
export { badge, modeBadge, statusBadge, type Tone } from './components/badge.js';
export { codeBlock, definitions, emptyState, figures, refreshRegion, secretView } from './components/blocks.js';
export { addressText } from './components/breakable.js';
export { textBlock } from './components/json.js';
export { cursorOf, filterForm, filterQuery, isFiltered, paging, tabOf, tabs } from './components/lists.js';
export { count, duration } from './components/numbers.js';
export { referenceOf } from './components/reference.js';
export { table, type Column } from './components/table.js';
export { timeOf } from './components/times.js';
export { requireTyped, typedConfirmation } from './components/typed-confirmation.js';
export type { HtmlValue } from '../kit/internal.js';

// of modules with keys of their own
export { keyLink } from './components/key-link.js';
export { restrictionFields, restrictionsOf } from './keys/key-fields.js';
export { KEY_STATUS_OPTIONS, keyBadge } from './keys/key-texts.js';
export type { ApiKeyDto, ApiKeyWithSecretDto } from '../platform/keys/api-keys.dto.js';
