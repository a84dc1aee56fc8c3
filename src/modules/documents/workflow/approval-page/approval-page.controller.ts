import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { FileResponse, html, PRIVATE_HEADERS, Public, redirect, Visitor, type FormProblem } from '../../../../kit/index.js';
import { openDocument } from '../deliveries/document-mails.js';
import { gonePage } from '../../pages/gone-page.js';
import { Contents } from '../content/contents.service.js';
import { PagePictures, type PdfSource } from '../../engine/pictures/page-pictures.service.js';
import { pageTextResponse, pictureResponse } from '../content/page-responses.js';
import { DownloadQuery, PageTextQuery, PictureQuery, type PartQuery } from '../content/pages.dto.js';
import { ShownContents } from '../content/shown-contents.service.js';
import { shownFiles } from '../content/shown-files.js';
import type { Document } from '../../model/records/document.entity.js';
import { CommentDto, DecideDto } from './approval-page.dto.js';
import { approvalPage } from './approval.page.js';
import { ApprovalPageActions } from './approval-page-actions.service.js';
import { ApprovalPages, type OpenLink } from './approval-page.service.js';

/** The page on which an approver reads a document and decides. */
@Controller('/a/:token')
export class ApprovalPageController {
  constructor(
    private readonly pages: ApprovalPages,
    private readonly actions: ApprovalPageActions,
    private readonly contents: Contents,
    private readonly shownContents: ShownContents,
    private readonly pictures: PagePictures,
  ) {}

  @Get()
  @Public('The approver with the mailed link may read the document')
  open(@Param('token') token: string, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor, (link) => this.page(link, {}, []));
  }

  @Get('pdf')
  @Public('The approver with the mailed link may download the document')
  pdf(@Param('token') token: string, @Query() { part }: DownloadQuery, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor, async (link) => {
      const { document } = await this.pages.view(link);
      const { pdf, filename } = await this.shownContents.download(link.ctx, { document, look: link.look }, part);
      return new FileResponse('application/pdf', pdf, { filename, headers: PRIVATE_HEADERS });
    });
  }

  @Get('pages/:page')
  @Public('The approver with the mailed link may see the pages of the document', { partOfPage: true })
  picture(
    @Param('token') token: string,
    @Param('page') page: string,
    @Visitor() visitor: Visitor,
    @Query() query: PictureQuery,
  ): Promise<FileResponse> {
    return this.answer(token, visitor, async (link) => pictureResponse(this.pictures, await this.shown(link, query), page, query));
  }

  @Get('pages/:page/text')
  @Public('The approver with the mailed link may read the pages of the document', { partOfPage: true })
  text(
    @Param('token') token: string,
    @Param('page') page: string,
    @Visitor() visitor: Visitor,
    @Query() query: PageTextQuery,
  ): Promise<FileResponse> {
    return this.answer(token, visitor, async (link) => pageTextResponse(this.pictures, await this.shown(link, query), page, query));
  }

  @Post('decide')
  @HttpCode(200)
  @Public('The approver with the mailed link may decide while they are asked')
  decide(@Param('token') token: string, @Body() form: DecideDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor, async (link) => {
      const problems = await this.actions.decide(link, form, visitor);
      return problems.length > 0 ? this.page(link, form, problems) : redirect(`/a/${token}`);
    });
  }

  @Post('comment')
  @HttpCode(200)
  @Public('The approver with the mailed link may comment on the document')
  comment(@Param('token') token: string, @Body() form: CommentDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.answer(token, visitor, async (link) => {
      const problems = await this.actions.comment(link, form);
      return problems.length > 0 ? this.page(link, form, problems) : redirect(`/a/${token}#comments`);
    });
  }

  /** A link that no longer works leads to a page that says why. */
  private async answer(
    token: string,
    { requestId }: Visitor,
    act: (link: OpenLink) => FileResponse | Promise<FileResponse>,
  ): Promise<FileResponse> {
    const link = await this.pages.find(token, requestId);
    const { member, isExpired, look } = link;
    if (member !== null && !isExpired) return act({ ...link, member });
    const { approve, purposes } = look.texts;
    const { url, label } = openDocument({ id: link.documentId, mode: link.ctx.mode }, look);
    return gonePage(look, {
      purpose: purposes.approve,
      title: null,
      reason: member === null ? approve.mayNot : approve.expired,
      action: member !== null && html`<p><a class="button" href="${url}">${label}</a></p>`,
    });
  }

  private async page(link: OpenLink, form: DecideDto & CommentDto, problems: FormProblem[]): Promise<FileResponse> {
    const view = await this.pages.view(link);
    const content = await this.contents.html(link.ctx, view.document);
    const parts = await this.contents.parts(link.ctx, view.document);
    const files = await shownFiles(parts, this.pictures, (position) => this.source(link, view.document, position));
    return approvalPage({ ...view, content, files, form, problems });
  }

  private async shown(link: OpenLink, { part }: PartQuery): Promise<PdfSource> {
    return this.source(link, (await this.pages.view(link)).document, part);
  }

  private source({ ctx }: OpenLink, document: Document, position?: number): PdfSource {
    return this.contents.source(ctx, document, document.revision, position);
  }
}
