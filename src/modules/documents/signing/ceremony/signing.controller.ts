import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { FileResponse, PRIVATE_HEADERS, Public, redirect, Store, Visitor, type FormProblem } from '../../../../kit/index.js';
import { Document } from '../../model/records/document.entity.js';
import { Contents } from '../../rendering/contents.service.js';
import { SignatureParty } from '../../model/records/signature-party.entity.js';
import { SigningLinks, standingOf, type SigningLink } from './signing-links.service.js';
import { DeclineDto, SignDto } from './signing.dto.js';
import { declinedPage, signingPage } from './signing.page.js';
import { Signing } from './signing.service.js';

/** The public pages and forms of a signing link. */
@Controller('/s/:token')
export class SigningController {
  constructor(
    private readonly store: Store,
    private readonly links: SigningLinks,
    private readonly signing: Signing,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Public('Anyone with the mailed link may read the document and sign it')
  async open(@Param('token') token: string): Promise<FileResponse> {
    const link = await this.links.find(token);
    await this.signing.view(link);
    return this.page(link);
  }

  @Get('pdf')
  @Public('Anyone with the mailed link may download the document')
  async pdf(@Param('token') token: string): Promise<FileResponse> {
    const { link, document, party } = await this.read(await this.links.find(token));
    return new FileResponse('application/pdf', await this.contents.pdf(link.ctx, document, party.revision), {
      filename: `${document.number ?? document.title}.pdf`,
      headers: PRIVATE_HEADERS,
    });
  }

  @Post('sign')
  @HttpCode(200)
  @Public('Anyone with the mailed link may sign the document')
  async sign(@Param('token') token: string, @Body() form: SignDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.links.find(token, visitor.requestId);
    return this.respond(link, await this.signing.sign(link, form, visitor), form);
  }

  @Post('code')
  @HttpCode(200)
  @Public('Anyone with the mailed link may request a code by mail')
  async code(@Param('token') token: string): Promise<FileResponse> {
    const link = await this.links.find(token);
    return this.respond(link, await this.signing.sendCode(link), {});
  }

  @Post('decline')
  @HttpCode(200)
  @Public('Anyone with the mailed link may decline to sign')
  async decline(@Param('token') token: string, @Body() form: DeclineDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.links.find(token, visitor.requestId);
    const problems = await this.signing.decline(link, form, visitor);
    return problems.length > 0
      ? this.page(link, form, problems)
      : declinedPage(link, await this.store.get(link.ctx, Document, link.documentId));
  }

  private respond(link: SigningLink, problems: FormProblem[], form: SignDto): FileResponse | Promise<FileResponse> {
    return problems.length > 0 ? this.page(link, form, problems) : redirect(`/s/${link.token}`);
  }

  private async page(link: SigningLink, form?: SignDto & DeclineDto, problems?: FormProblem[]): Promise<FileResponse> {
    const read = await this.read(link);
    const { revision } = read.party;
    const parties = await this.store.list(link.ctx, SignatureParty, { document_id: link.documentId, revision });
    const content = await this.contents.html(link.ctx, read.document, revision);
    return signingPage({ ...read, parties, content, form, problems });
  }

  /** Rejects links that no longer work. */
  private async read(link: SigningLink) {
    const document = await this.store.get(link.ctx, Document, link.documentId);
    const party = await this.store.get(link.ctx, SignatureParty, link.partyId);
    const isSealed = party.status === 'signed' && (await this.contents.isSealed(link.ctx, document, party.revision));
    return { link, document, party, standing: standingOf(document, party, new Date(), isSealed) };
  }
}
