#include "plot/figure.hpp"
#include "report/page.hpp"

namespace conesweep::report {

std::string page_style() {
  const std::string dark = plot::colour_variables(true) + "--warn:#3a2a12;--edge:#b7791f;--good:#14301f";
  return ":root{color-scheme:light dark;" + plot::colour_variables(false) +
         "--warn:#fff6e0;--edge:#b7791f;--good:#eaf7ee}" + "@media (prefers-color-scheme: dark){:root{" + dark + "}}" +
         "@media print{:root{" + plot::colour_variables(false) + "--warn:#fff;--good:#fff;color-scheme:light}}" + R"~(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 Charter,"Bitstream Charter","Source Serif Pro",Georgia,"DejaVu Serif",serif}
main{max-width:1240px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:1.3rem;margin:44px 0 14px;padding-bottom:6px;border-bottom:1px solid var(--grid)}
h3{font-size:1.05rem;margin:20px 0 8px}
.lead{margin:0 0 14px;color:var(--soft);font-size:1.05rem}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 20px;font:14px "Helvetica Neue",Arial,"Liberation Sans",sans-serif}
a{color:var(--k0);text-decoration-thickness:1px;text-underline-offset:2px}
.soft,.note,footer{color:var(--soft)}
.note{font-size:.84rem;line-height:1.4;margin:6px 0 0}
.warn,.fine{border-left:4px solid var(--edge);background:var(--warn);padding:10px 16px;margin:0 0 8px;border-radius:0 4px 4px 0;font-size:.95rem;overflow-wrap:anywhere}
.fine{border-color:var(--k2);background:var(--good)}
.warn ul{margin:6px 0 0;padding-left:20px}
.laws{margin:0;display:flex;flex-wrap:wrap;gap:14px 28px}
.laws>section{flex:0 1 auto;min-width:min(100%,max(440px,50% - 14px));max-width:100%}
.laws h3{margin:0 0 2px;font-size:1rem}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:0 40px}
.two>section{min-width:0}
.eq{overflow-x:auto;overflow-y:hidden;padding:3px 0}
.eq math{text-align:left;margin:0}
.eq mtd{text-align:left;padding-right:.8em}
math{font-size:1.08em;font-family:"STIX Two Math","Latin Modern Math","Libertinus Math","Cambria Math","DejaVu Math TeX Gyre",math}
math[display=block]{display:block math;text-align:left;margin-inline:0;width:max-content}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font:13px/1.45 "Helvetica Neue",Arial,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
th,td{padding:4px 12px 4px 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}
th:first-child{text-align:left}
thead th{font-weight:600;border-bottom:1px solid var(--soft)}
tbody th{font-weight:400}
.words td,.words thead th{text-align:left;white-space:normal}
.words td,.words th{vertical-align:middle}
.small{font-size:11.5px}
.small th,.small td{padding:2px 10px 2px 0}
.thumb{width:120px;height:26px;display:block}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,350px),1fr));gap:30px 26px;align-items:start}
figure{margin:0;min-width:0;position:relative}
figcaption{font-weight:600;font-size:.98rem;margin-bottom:4px;overflow-wrap:anywhere}
figure svg{width:100%;height:auto;display:block}
details{margin-top:6px;font-size:.84rem}
details .scroll{max-height:260px;overflow:auto;margin-top:4px}
summary{cursor:pointer;color:var(--soft);font:12.5px "Helvetica Neue",Arial,"Liberation Sans",sans-serif}
.csv{font:12.5px "Helvetica Neue",Arial,"Liberation Sans",sans-serif}
code{font:.86em ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.tip{position:absolute;pointer-events:none;background:var(--ink);color:var(--paper);font:11px "Helvetica Neue",Arial,sans-serif;padding:2px 6px;border-radius:3px;white-space:nowrap}
footer{margin-top:48px;font-size:.84rem;border-top:1px solid var(--grid);padding-top:10px}
@media print{nav,details,.csv{display:none}html{font-size:11px}main{max-width:none;padding:0}body{font-size:11px}table{font-size:9.5px}h2{margin-top:22px}
footer{margin-top:4px;padding-top:4px}.laws>section{min-width:calc(50% - 14px)}.eq math{font-size:.95em}
h2,h3{break-after:avoid}figure,tr,.laws>section{break-inside:avoid}.two{grid-template-columns:1fr 1fr}.panels{grid-template-columns:1fr 1fr;gap:14px 24px}}
@media (max-width:600px) and screen{main{padding:18px 14px 36px}h1{font-size:1.45rem}h2{font-size:1.15rem;margin-top:32px}body{font-size:15px}}
)~" + plot::drawing_style();
}

// The place under the pointer in units of the axes; the page is complete without it.
std::string page_script() {
  return R"~(
(function(){
function at(s,p){var a=s.split(' '),f=(p-a[0])/(a[1]-a[0]),l=+a[2],u=+a[3];return a[4]?l*Math.pow(u/l,f):l+f*(u-l)}
function inside(s,p){var a=s.split(' ');return (p-a[0])*(p-a[1])<=0}
document.querySelectorAll('figure svg').forEach(function(svg){
var x=svg.dataset.x,y=svg.dataset.y,tip;
if(!x&&!y)return;
svg.addEventListener('pointermove',function(e){
var b=svg.getBoundingClientRect(),k=svg.viewBox.baseVal.width/b.width,px=(e.clientX-b.left)*k,py=(e.clientY-b.top)*k;
if((x&&!inside(x,px))||(y&&!inside(y,py))){if(tip)tip.hidden=true;return}
if(!tip){tip=document.createElement('div');tip.className='tip';svg.parentNode.appendChild(tip)}
var t=[];if(x)t.push(at(x,px).toPrecision(4));if(y)t.push(at(y,py).toPrecision(4));
tip.textContent=t.join(', ');tip.hidden=false;
var f=svg.parentNode.getBoundingClientRect(),left=e.clientX-f.left+12;
tip.style.left=Math.min(left,f.width-tip.offsetWidth-2)+'px';tip.style.top=(e.clientY-f.top-24)+'px'});
svg.addEventListener('pointerleave',function(){if(tip)tip.hidden=true})})})();
)~";
}

}  // namespace conesweep::report
