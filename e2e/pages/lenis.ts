/** A page that Lenis scrolls smoothly. */
import Lenis from 'lenis';

const content = document.body.appendChild(document.createElement('div'));
content.style.height = '4000px';
new Lenis({ autoRaf: true });
