const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Escapes text for HTML, for element content and quoted attribute values.
 *
 * @example
 * ```ts
 * import { escapeHtml } from 'work-suite/kit';
 *
 * const text = escapeHtml('a < b'); // 'a &lt; b'
 * ```
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
