import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { FileResponse, Public, Store, Visitor } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { Contents } from '../../rendering/contents.service.js';
import { PRIVATE_HEADERS, redirect } from '../../pages/page.js';
import type { FormProblem } from './signature-form.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { SigningLinks, standingOf, type SigningLink } from './signing-links.service.js';
import { DeclineDto, SignDto } from './signing.dto.js';
import { declinedPage, signingPage } from './signing.page.js';
import { Signing } from './signing.service.js';

/** What somebody who was mailed a link to sign sees and does. */
@Controller('/s/:token')
export class SigningController {
  constructor(
    private readonly store: Store,
    private readonly links: SigningLinks,
    private readonly signing: Signing,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Public('Whoever was mailed the link may read the document and sign it')
  async open(@Param('token') token: string): Promise<FileResponse> {
    const link = await this.links.find(token);
    await this.signing.view(link);
    return this.page(link);
  }

  @Get('pdf')
  @Public('Whoever was mailed the link may keep the document')
  async pdf(@Param('token') token: string): Promise<FileResponse> {
    const { link, document } = await this.read(await this.links.find(token));
    return new FileResponse('application/pdf', await this.contents.pdf(link.ctx, document), {
      filename: `${document.number ?? document.title}.pdf`,
      headers: PRIVATE_HEADERS,
    });
  }

  @Post('sign')
  @HttpCode(200)
  @Public('Whoever was mailed the link may sign the document')
  async sign(@Param('token') token: string, @Body() form: SignDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.links.find(token, visitor.requestId);
    return this.answer(link, await this.signing.sign(link, form, visitor), form);
  }

  @Post('code')
  @HttpCode(200)
  @Public('Whoever was mailed the link may ask for a second mail')
  async code(@Param('token') token: string): Promise<FileResponse> {
    const link = await this.links.find(token);
    return this.answer(link, await this.signing.sendCode(link), {});
  }

  @Post('decline')
  @HttpCode(200)
  @Public('Whoever was mailed the link may decline to sign')
  async decline(@Param('token') token: string, @Body() form: DeclineDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.links.find(token, visitor.requestId);
    const problems = await this.signing.decline(link, form, visitor);
    return problems.length > 0 ? this.page(link, form, problems) : declinedPage(await this.store.get(link.ctx, Document, link.documentId));
  }

  private answer(link: SigningLink, problems: FormProblem[], form: SignDto): FileResponse | Promise<FileResponse> {
    return problems.length > 0 ? this.page(link, form, problems) : redirect(`/s/${link.token}`);
  }

  private async page(link: SigningLink, form?: SignDto & DeclineDto, problems?: FormProblem[]): Promise<FileResponse> {
    const read = await this.read(link);
    const parties = await this.store.list(link.ctx, SignatureParty, { document_id: link.documentId, revision: read.document.revision });
    return signingPage({ ...read, parties, content: await this.contents.html(link.ctx, read.document), form, problems });
  }

  /** Refuses a link that leads nowhere any more. */
  private async read(link: SigningLink) {
    const document = await this.store.get(link.ctx, Document, link.documentId);
    const party = await this.store.get(link.ctx, SignatureParty, link.partyId);
    return { link, document, party, standing: standingOf(document, party, new Date()) };
  }
}
