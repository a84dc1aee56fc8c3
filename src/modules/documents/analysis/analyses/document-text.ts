import { Injectable } from '@nestjs/common';
import type { Ctx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import { Contents } from '../../workflow/content/contents.service.js';
import { textOfHtml } from '../../engine/content/plain-text.js';

/** The plain text of a document, for analyses and for clause rules. */
@Injectable()
export class DocumentTexts {
  constructor(private readonly contents: Contents) {}

  async of(ctx: Ctx, document: Document): Promise<string> {
    return textOfHtml(await this.contents.html(ctx, document));
  }
}
