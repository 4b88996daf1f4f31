/** A page with the banner of a consent management tool. */
export interface ConsentTool {
  readonly name: string;
  /** Selector of the banner. */
  readonly banner: string;
  /** Selector of the frame that contains the banner, if there is one. */
  readonly frame?: string;
  /** Whether the banner covers the page with a backdrop, and thus the bubble. */
  readonly isModal?: boolean;
  readonly html: string;
}

const text = `We and our 842 partners store and access information on your device, such as cookies, to
  measure the use of this site and to show content that suits you. You can change your choice at any time.`;

/**
 * Banners with the ids, classes, placement and ways to appear that the vendors publish for their default
 * templates. Without their scripts, which only store the choice.
 */
export const consentTools: readonly ConsentTool[] = [
  {
    name: 'Cookiebot',
    banner: '#CybotCookiebotDialog',
    html: `<style>
      #CybotCookiebotDialog { position: fixed; bottom: 0; left: 50%; transform: translateX(-50%);
        width: 100%; max-height: 80vh; z-index: 2147483631; background: #fff; display: flex;
        flex-direction: column; box-shadow: 0 32px 68px rgb(0 0 0 / 30%); box-sizing: border-box }
      .CybotCookiebotScrollContainer { overflow-y: auto; padding: 16px }
      #CybotCookiebotDialogBodyButtonsWrapper { display: flex; flex-wrap: wrap; gap: 8px; padding: 16px;
        justify-content: flex-end }
      .CybotCookiebotDialogBodyButton { padding: 14px 24px; flex: 0 1 240px }
      @media (max-width: 600px) { .CybotCookiebotDialogBodyButton { flex: 1 0 100% } }
    </style>
    <div id="CybotCookiebotDialogBodyUnderlay"></div>
    <div id="CybotCookiebotDialog" role="dialog" aria-modal="true" class="CybotEdge" data-template="bottom">
      <div class="CybotCookiebotDialogContentWrapper"><div class="CybotCookiebotScrollContainer">
        <h2 id="CybotCookiebotDialogBodyContentTitle">This website uses cookies</h2><p>${text}</p>
      </div></div>
      <div id="CybotCookiebotDialogFooter"><div id="CybotCookiebotDialogBodyButtonsWrapper">
        <button id="CybotCookiebotDialogBodyButtonDecline" class="CybotCookiebotDialogBodyButton">Deny</button>
        <button id="CybotCookiebotDialogBodyLevelButtonCustomize" class="CybotCookiebotDialogBodyButton">Customize</button>
        <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" class="CybotCookiebotDialogBodyButton">Allow all</button>
      </div></div>
    </div>`,
  },
  {
    name: 'OneTrust',
    banner: '#onetrust-banner-sdk',
    html: `<style>
      #onetrust-banner-sdk { position: fixed; bottom: -99%; left: 0; right: 0; z-index: 2147483645;
        background: #fff; box-shadow: 0 0 18px rgb(0 0 0 / 20%); max-height: 90%; overflow-y: auto }
      #onetrust-banner-sdk.otFlat { animation: slide-up-custom 400ms ease-out forwards }
      @keyframes slide-up-custom { to { bottom: 0 } }
      #onetrust-banner-sdk .ot-sdk-row { display: flex; flex-wrap: wrap; gap: 16px; padding: 16px 48px 16px 16px }
      #onetrust-group-container { flex: 1 1 300px }
      #onetrust-button-group { display: grid; gap: 8px; width: 260px }
      #onetrust-button-group button { padding: 12px }
      #onetrust-close-btn-container { position: absolute; top: 8px; right: 8px }
    </style>
    <div id="onetrust-consent-sdk">
      <div class="onetrust-pc-dark-filter ot-hide ot-fade-in" style="display: none"></div>
      <div id="onetrust-banner-sdk" class="otFlat bottom ot-wo-title" tabindex="0" role="region" aria-label="Cookie banner">
        <div role="dialog" aria-label="Privacy"><div class="ot-sdk-container"><div class="ot-sdk-row">
          <div id="onetrust-group-container"><div id="onetrust-policy"><div id="onetrust-policy-text">${text}
            <a class="ot-cookie-policy-link" href="#policy">Cookie notice</a></div></div></div>
          <div id="onetrust-button-group-parent"><div id="onetrust-button-group">
            <button id="onetrust-pc-btn-handler">Cookies Settings</button>
            <button id="onetrust-reject-all-handler">Reject All</button>
            <button id="onetrust-accept-btn-handler">Accept All Cookies</button>
          </div></div>
          <div id="onetrust-close-btn-container">
            <button class="onetrust-close-btn-handler banner-close-button ot-close-icon" aria-label="Close">×</button>
          </div>
        </div></div></div>
      </div>
    </div>`,
  },
  {
    name: 'Usercentrics',
    banner: '[data-testid="uc-default-banner"]',
    // The root is empty until the settings have been fetched; nothing outside of its shadow tree changes then.
    html: `<div id="usercentrics-root" data-nosnippet></div><script>
      const root = document.getElementById('usercentrics-root').attachShadow({ mode: 'open' });
      setTimeout(() => root.setHTMLUnsafe(\`<style>
        #uc-center-container { position: fixed; bottom: 0; left: 0; right: 0; z-index: 2147483647;
          background: #fff; padding: 24px; box-shadow: 0 4px 14px rgb(0 0 0 / 25%) }
        [data-testid=uc-buttons-container] { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 16px }
        [data-testid=uc-buttons-container] button { flex: 1 1 200px; height: 40px }
      </style>
      <div data-testid="uc-app-container"><div data-testid="uc-container">
        <div id="uc-center-container" data-testid="uc-default-banner" role="dialog" aria-modal="true">
          <h2>Privacy Settings</h2><p>${text.replace(/\s+/g, ' ')}</p>
          <a data-testid="uc-privacy-policy-link" href="#privacy">Privacy Policy</a>
          <div data-testid="uc-buttons-container">
            <button role="button" data-testid="uc-more-button">More Information</button>
            <button role="button" data-testid="uc-deny-all-button">Deny</button>
            <button role="button" data-testid="uc-accept-all-button">Accept All</button>
          </div>
        </div>
      </div></div>\`), 2500);
    </script>`,
  },
  {
    name: 'Didomi',
    banner: '#didomi-popup .didomi-popup-view',
    isModal: true,
    // The popup template: a backdrop over the page, and a sheet at the bottom of small windows.
    html: `<style>
      #didomi-popup { position: fixed; inset: 0; z-index: 2147483641 }
      .didomi-popup-backdrop { position: fixed; inset: 0; background: rgb(0 0 0 / 50%); display: flex;
        align-items: center; justify-content: center }
      .didomi-popup-container { background: #fff; max-width: 520px; max-height: 90%; overflow-y: auto }
      .didomi-popup-view { padding: 24px }
      .didomi-popup-notice-buttons { display: flex; flex-wrap: wrap; gap: 8px }
      .didomi-button { flex: 1 1 150px; padding: 12px }
      @media (max-width: 600px) { .didomi-popup-backdrop { align-items: flex-end } }
    </style>
    <div id="didomi-host" class="didomi-host" data-nosnippet="true" aria-hidden="false">
      <div id="didomi-popup" class="didomi-popup-open">
        <div class="didomi-popup-backdrop didomi-popup-notice didomi-popup-notice-with-data-processing">
          <div class="didomi-popup-container didomi-popup__dialog" role="dialog" aria-modal="true">
            <div class="didomi-popup-view"><h2>Welcome</h2><p>${text}</p><p>${text}</p>
              <div class="didomi-popup-notice-buttons">
                <button id="didomi-notice-learn-more-button" class="didomi-button">Learn More →</button>
                <button id="didomi-notice-disagree-button" class="didomi-button">Disagree</button>
                <button id="didomi-notice-agree-button" class="didomi-button didomi-button-highlight">Agree</button>
              </div>
              <a class="didomi-notice-view-partners-link" href="#partners">View our partners</a>
            </div>
          </div>
        </div>
      </div>
    </div>`,
  },
  {
    name: 'Quantcast Choice',
    banner: '#qc-cmp2-ui',
    isModal: true,
    html: `<style>
      .qc-cmp2-container { position: fixed; inset: 0; z-index: 2147483647; background: rgb(0 0 0 / 40%);
        overflow: hidden }
      .qc-cmp2-main { position: relative; height: 100%; display: flex; align-items: flex-end }
      #qc-cmp2-ui { background: #fff; width: 100%; max-height: 92%; overflow: hidden auto; padding: 24px;
        box-sizing: border-box }
      .qc-cmp2-summary-buttons { display: flex; flex-direction: row-reverse; flex-wrap: wrap; gap: 8px }
      .qc-cmp2-summary-buttons button { height: 40px; min-width: 150px; flex: 1 }
    </style>
    <div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp2-main" id="qc-cmp2-main" data-nosnippet>
      <div class="qc-cmp-cleanslate"><div id="qc-cmp2-ui" role="dialog" aria-label="We value your privacy">
        <div class="qc-cmp2-summary-section"><h2>We value your privacy</h2><p>${text}</p></div>
        <div class="qc-cmp2-footer"><div class="qc-cmp2-summary-buttons">
          <button mode="primary" size="large"><span>AGREE</span></button>
          <button mode="secondary" size="large"><span>DISAGREE</span></button>
          <button mode="secondary" size="large"><span>MORE OPTIONS</span></button>
        </div></div>
      </div></div>
    </div></div>`,
  },
  {
    name: 'CookieYes',
    banner: '.cky-consent-bar',
    html: `<style>
      .cky-consent-container { position: fixed; bottom: 0; left: 0; width: 100%; z-index: 9999999;
        box-sizing: border-box }
      .cky-hide { display: none }
      .cky-consent-bar { background: #fff; border-top: 1px solid #f4f4f4; padding: 16.5px 24px;
        box-shadow: 0 -1px 10px rgb(172 171 171 / 30%) }
      .cky-notice-group { display: flex; flex-wrap: wrap; gap: 12px; align-items: center }
      .cky-notice-des { flex: 1 1 320px }
      .cky-notice-btn-wrapper { display: flex; flex-wrap: wrap; gap: 8px }
      .cky-btn { padding: 8px 27px }
      @media (max-width: 576px) { .cky-btn { flex: 1 1 100% } }
      .cky-btn-revisit-wrapper { position: fixed; bottom: 15px; right: 15px; width: 45px; height: 45px;
        z-index: 999999 }
    </style>
    <div class="cky-btn-revisit-wrapper cky-revisit-bottom-right cky-hide" data-cky-tag="revisit-consent">
      <button class="cky-btn-revisit" aria-label="Consent Preferences">⚙</button></div>
    <div class="cky-consent-container cky-banner-bottom cky-hide" tabindex="0" role="region" aria-label="We value your privacy">
      <div class="cky-consent-bar" data-cky-tag="notice"><div class="cky-notice">
        <p class="cky-title">We value your privacy</p>
        <div class="cky-notice-group"><div class="cky-notice-des"><p>${text}</p></div>
          <div class="cky-notice-btn-wrapper" data-cky-tag="notice-buttons">
            <button class="cky-btn cky-btn-customize">Customize</button>
            <button class="cky-btn cky-btn-reject">Reject All</button>
            <button class="cky-btn cky-btn-accept">Accept All</button>
          </div></div>
      </div></div>
    </div>
    <script>
      setTimeout(() => document.querySelector('.cky-consent-container').classList.remove('cky-hide'), 1000);
    </script>`,
  },
  {
    name: 'Klaro',
    banner: '.klaro .cookie-notice',
    html: `<style>
      .klaro .cookie-notice { position: fixed; right: 20px; bottom: 20px; width: 400px; z-index: 998;
        background: #333; color: #fff; border-radius: 4px; box-sizing: border-box }
      .klaro .cn-body { padding: 16px }
      .klaro .cn-ok { display: flex; flex-flow: row wrap; gap: 8px; align-items: baseline; justify-content: flex-end }
      .klaro .cm-btn { padding: 6px 10px }
      @media (max-width: 990px) { .klaro .cookie-notice { right: 0; bottom: 0; width: 100%; border-radius: 0 } }
    </style>
    <div id="klaro"><div lang="en" class="klaro"><div role="dialog" aria-describedby="id-cookie-notice" class="cookie-notice">
      <div class="cn-body"><p id="id-cookie-notice">${text}</p>
        <div class="cn-ok">
          <a href="#" class="cm-link cn-learn-more">Let me choose</a>
          <div class="cn-buttons">
            <button type="button" class="cm-btn cm-btn-danger cn-decline">I decline</button>
            <button type="button" class="cm-btn cm-btn-success">That's ok</button>
          </div>
        </div></div>
    </div></div></div>`,
  },
  {
    name: 'Osano',
    banner: '.osano-cm-dialog',
    html: `<style>
      .osano-cm-window { position: fixed; left: 0; top: 100vh; z-index: 2147483638; width: 100vw; height: 0 }
      .osano-cm-dialog { position: fixed; left: 0; right: 0; bottom: 0; background: #fff; padding: 20px;
        max-height: 100vh; overflow: auto; box-sizing: border-box; transition: transform 700ms ease }
      .osano-cm-dialog--hidden { transform: translateY(100%) }
      .osano-cm-dialog__buttons { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end }
      .osano-cm-button { padding: 10px 20px; min-width: 200px }
      @media (max-width: 600px) { .osano-cm-button { flex: 1 1 100% } }
      .osano-cm-dialog__close { position: absolute; top: 0; right: 0; width: 40px; height: 40px }
      .osano-cm-widget { position: fixed; right: 12px; bottom: 12px; width: 40px; height: 40px; opacity: 0.9 }
      .osano-cm-widget--hidden { opacity: 0 }
    </style>
    <div class="osano-cm-window" dir="ltr">
      <div role="dialog" aria-label="Cookie Consent Banner" class="osano-cm-window__dialog osano-cm-dialog osano-cm-dialog--position_bottom osano-cm-dialog--type_bar osano-cm-dialog--hidden">
        <button class="osano-cm-dialog__close osano-cm-close" aria-label="Close this dialog">×</button>
        <div class="osano-cm-dialog__content osano-cm-content"><span class="osano-cm-content__message">${text}</span></div>
        <div class="osano-cm-dialog__buttons osano-cm-buttons">
          <button class="osano-cm-manage osano-cm-button osano-cm-button--type_manage">Manage Preferences</button>
          <button class="osano-cm-denyAll osano-cm-button osano-cm-button--type_denyAll">Reject All</button>
          <button class="osano-cm-accept-all osano-cm-button osano-cm-button--type_accept">Accept All</button>
        </div>
      </div>
      <button class="osano-cm-window__widget osano-cm-widget osano-cm-widget--position_right osano-cm-widget--hidden" aria-label="Cookie Preferences">⚙</button>
    </div>
    <script>
      setTimeout(() => document.querySelector('.osano-cm-dialog').classList.remove('osano-cm-dialog--hidden'), 500);
    </script>`,
  },
  {
    name: 'Complianz',
    banner: '.cmplz-cookiebanner',
    html: `<style>
      .cmplz-cookiebanner { position: fixed; right: 10px; bottom: 10px; width: min(485px, 100vw - 20px);
        z-index: 99999; background: #fff; border: 1px solid #f2f2f2; border-radius: 12px; padding: 15px 20px;
        display: grid; grid-gap: 10px; max-height: calc(100vh - 20px); box-sizing: border-box }
      .cmplz-hidden { display: none }
      .cmplz-body { overflow-y: auto }
      .cmplz-buttons { display: flex; flex-wrap: wrap; gap: 10px }
      .cmplz-btn { height: 45px; flex: 1 1 120px }
      .cmplz-links { display: flex; gap: 10px; justify-content: center }
      #cmplz-manage-consent .cmplz-manage-consent { position: fixed; bottom: -35px; right: 40px; height: 50px;
        z-index: 9998; transition: bottom 0.5s ease }
    </style>
    <div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-hidden banner-1 bottom-right-view-preferences optin cmplz-bottom-right cmplz-categories-type-view-preferences" aria-modal="true" data-nosnippet="true" role="dialog" aria-live="polite">
      <div class="cmplz-header"><div class="cmplz-title">Manage Consent</div>
        <div class="cmplz-close" tabindex="0" role="button" aria-label="Close dialog">×</div></div>
      <div class="cmplz-body"><div class="cmplz-message"><p>${text}</p></div></div>
      <div class="cmplz-buttons">
        <button class="cmplz-btn cmplz-accept">Accept</button>
        <button class="cmplz-btn cmplz-deny">Deny</button>
        <button class="cmplz-btn cmplz-view-preferences">View preferences</button>
      </div>
      <div class="cmplz-links cmplz-documents"><a class="cmplz-link cookie-statement" href="#cookies">Cookie Policy</a></div>
    </div></div>
    <div id="cmplz-manage-consent"><button class="cmplz-btn cmplz-hidden cmplz-manage-consent">Manage consent</button></div>
    <script>
      setTimeout(() => document.querySelector('.cmplz-cookiebanner').classList.replace('cmplz-hidden', 'cmplz-show'), 800);
    </script>`,
  },
  {
    name: 'TrustArc',
    banner: 'body',
    frame: '#trustarc-banner-frame',
    // A frame of another origin: the sandbox gives it an origin of its own.
    html: `<style>
      #consent_blackbar { position: fixed; bottom: 0; left: 0; right: 0; z-index: 2147483646 }
      #trustarc-banner-frame { display: block; width: 100%; height: 170px; border: 0; background: #fff }
      @media (max-width: 600px) { #trustarc-banner-frame { height: 340px } }
    </style>
    <div id="consent_blackbar"></div><div id="teconsent"></div>
    <script>
      const frame = document.createElement('iframe');
      frame.id = 'trustarc-banner-frame';
      frame.title = 'TrustArc Cookie Consent Manager';
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = \`<style>
        #truste-consent-buttons { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end }
        button { padding: 12px 24px; flex: 0 1 220px }
        @media (max-width: 600px) { button { flex: 1 0 100% } }
      </style>
      <div id="truste-consent-track"><div id="truste-consent-content">
        <div id="truste-consent-text">${text.replace(/\s+/g, ' ')}</div>
        <div id="truste-consent-buttons">
          <button id="truste-show-consent">Manage Settings</button>
          <button id="truste-consent-required">Required Only</button>
          <button id="truste-consent-button">Accept All</button>
        </div>
      </div></div>\`;
      document.getElementById('consent_blackbar').append(frame);
    </script>`,
  },
];
