/**
 * What styles of elements cannot say: dark colors and narrow screens. Programs that ignore it show the light, wide mail. Outlook.com
 * marks what it has darkened with `data-ogsc`.
 */
export const MAIL_STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){
.pad{padding-left:20px!important;padding-right:20px!important}
.fact{display:block!important;padding-left:0!important;padding-right:0!important}
.fact:not(.value){padding-bottom:0!important;font-size:13px!important}
.value{padding-top:0!important;padding-bottom:8px!important}
}
@media (prefers-color-scheme:dark){
.page{background:#121314!important}
.card{background:#1e2022!important}
.quote{background:#2a2d30!important}
.ink{color:#e9ebee!important}
.soft{color:#a9b0b9!important}
.logo{box-shadow:0 0 0 6px #ffffff}
}
[data-ogsc] .ink{color:#e9ebee!important}
[data-ogsc] .soft{color:#a9b0b9!important}
`;
