import { Injectable } from '@nestjs/common';
import type { Ctx } from '../../../kit/index.js';
import type { Document } from '../documents/document.entity.js';
import { Contents } from '../rendering/contents.service.js';

/** What a document says, without its layout: what is analysed, and what rules are held against. */
@Injectable()
export class DocumentTexts {
  constructor(private readonly contents: Contents) {}

  async of(ctx: Ctx, document: Document): Promise<string> {
    return textOfHtml(await this.contents.html(ctx, document));
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of a page that our own renderer made: sanitised, every tag closed. */
export function textOfHtml(html: string): string {
  return html
    .replace(/^[\s\S]*<main[^>]*>|<\/main>[\s\S]*$/g, '')
    // what the page says of itself is no part of the document
    .replace(/<header>[\s\S]*?<\/header>|<p class="mark">[^<]*<\/p>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/<h([1-6])[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<li[^>]*>/g, '\n- ')
    .replace(/<br[^>]*>|<\/tr>/g, '\n')
    .replace(/<\/t[hd]>\s*(?=<t[hd])/g, ': ')
    .replace(/<\/(?:h[1-6]|p|ul|ol|table|blockquote|div)>/g, '\n\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) =>
      name !== undefined ? (ENTITIES[name.toLowerCase()] ?? whole) : String.fromCodePoint(decimal !== undefined ? Number(decimal) : parseInt(hex as string, 16)))
    .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
