import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { FileResponse, PRIVATE_HEADERS, Public, redirect, Visitor, type FormProblem } from '../../../kit/index.js';
import { Contents } from '../rendering/contents.service.js';
import { CommentDto, DecideDto } from './approval-page.dto.js';
import { approvalPage } from './approval.page.js';
import { ApprovalPages, type ApprovalPageLink } from './approval-page.service.js';

/** The page on which an approver reads a document and decides. */
@Controller('/a/:token')
export class ApprovalPageController {
  constructor(
    private readonly pages: ApprovalPages,
    private readonly contents: Contents,
  ) {}

  @Get()
  @Public('The approver with the mailed link may read the document')
  async open(@Param('token') token: string, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    return this.page(await this.pages.find(token, requestId), {}, []);
  }

  @Get('pdf')
  @Public('The approver with the mailed link may download the document')
  async pdf(@Param('token') token: string, @Visitor() { requestId }: Visitor): Promise<FileResponse> {
    const link = await this.pages.find(token, requestId);
    const { document } = await this.pages.view(link);
    return new FileResponse('application/pdf', await this.contents.pdf(link.ctx, document), {
      filename: `${document.number ?? document.title}.pdf`,
      headers: PRIVATE_HEADERS,
    });
  }

  @Post('decide')
  @HttpCode(200)
  @Public('The approver with the mailed link may decide while they are asked')
  async decide(@Param('token') token: string, @Body() form: DecideDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.pages.find(token, visitor.requestId);
    const problems = await this.pages.decide(link, form, visitor);
    return problems.length > 0 ? this.page(link, form, problems) : redirect(`/a/${token}`);
  }

  @Post('comment')
  @HttpCode(200)
  @Public('The approver with the mailed link may comment on the document')
  async comment(@Param('token') token: string, @Body() form: CommentDto, @Visitor() visitor: Visitor): Promise<FileResponse> {
    const link = await this.pages.find(token, visitor.requestId);
    const problems = await this.pages.comment(link, form);
    return problems.length > 0 ? this.page(link, form, problems) : redirect(`/a/${token}#comments`);
  }

  private async page(link: ApprovalPageLink, form: DecideDto & CommentDto, problems: FormProblem[]): Promise<FileResponse> {
    const view = await this.pages.view(link);
    return approvalPage({ ...view, content: await this.contents.html(link.ctx, view.document), form, problems });
  }
}
