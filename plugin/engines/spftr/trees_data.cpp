// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Written by tools/spftr/make_trees.py. The form of the text: spftr/trees.hpp.
#include <array>

#include "plugin/engines/spftr/trees.hpp"

namespace selvedge::spftr {
namespace {

// clang-format off
constexpr std::array kSpftrTrees = {
    StoredTrees{0, 3, 0, 3,
     "/7y8fP86SorGv8z1VVav86wPAxP81ygAgf84MlKa/86WJKSv86mpKSv86mpKSv86mpKSv8"},
    StoredTrees{0, 3, 0, 4,
     "6jAsDfPvwNVVVarP/+/L8vz/1cqEAQDf6kqioGrv6sK0oxTv68I8CoHv6o9P0fzv6o9P0fzv6o9H0fzv"},
    StoredTrees{0, 3, 1, 2,
     "esrc1P89ycr8/8MFVV2v8uoCwsf89QpKY/8/8wMDP8+zMr8/89zcr8/89zcr8/89zcr8/8"},
    StoredTrees{0, 3, 1, 3,
     "+8nCs0z/OiIsL1v/8NddVWr/+nwrwZr/urKsAjH/+vAjCMX/ebC0A1j/9UKir/P//c9yr/P/9M9yr/P/"},
    StoredTrees{0, 3, 1, 4,
     "eVyqwDDy3w8DH0lU2pzw+qJAKkZM7wuqvy/ylp7w/UCVKp2q/wOqyzMo1U7w+v8s8s8s7wuqT0f0387w9UCoKU0r3w"
     "+1CVKq1q3w"},
    StoredTrees{0, 3, 2, 1,
     "riws/P8/7KAQ/8DFV19v8fsvLqf8f/IQGP83TIiKv83zAqKv83zAqKv83zAqKv83zAqKv8"},
    StoredTrees{0, 3, 2, 2,
     "//zCMIz/bhcfxhr/DFiVC9D/vqIIgvH//M1yXdv/fnyvIGb/3cyAoKr/3cyCqKr/3cyCqKr/3cyCqKr/"},
    StoredTrees{0, 3, 2, 3,
     "/vUM/MWM/wTVYqUi9z/w/DB0JU9p/wXq8ogIYa/wboUh8xNq/w/3CXCr/z/wbqfM/KjB/wPqAqCg9E/wvqj0Sr/z/w"
     "fTz3Sr/z/w"},
    StoredTrees{0, 3, 2, 4,
     "/18lSKoTAf8PACPTxX9q88/qgIILymle8fl/KtKA/8N8jqpXSX0t/O8ftUBVKp9qt8bqlzT80jPO8/TwKwhM8jM8nq"
     "vHQ/0J/O8/qcKrIqyau8"},
    StoredTrees{0, 3, 3, 0,
     "E3x8jf8qwsLE/8v/Lyaf8/6wkNv8R1Xdqf8f/yA0P89ywqKv89ywqKv89ywqKv89ywqKv8"},
    StoredTrees{0, 3, 3, 1,
     "q4rCs/z//+MpIVv/AxVXV/b/V/8gAAD/f7y/Lqn/208iyKr/288CqKr/288CqKr/288CqKr/288CqKr/"},
    StoredTrees{0, 3, 3, 2,
     "b6fC/yPy/w//DXSWdZ/wW41xvxQa/wBxLK/y/Y/wn6vAgMiF/w/zIsIrXz/wg1SK1YPc/wb5/CPwJi/w33830r/z/w"
     "33830r/z/w"},
    StoredTrees{0, 3, 3, 3,
     "W6tci/AUXP8/91JRyr/c/8VwPzUrVbav8/6gygIDlsf8g6oiz8KPZf8P0SCqSo/QP8/6jyMAzSM/8Y6nwD/ATwf8/7"
     "yEwlMbbP8/9hCrSo/8/8"},
    StoredTrees{0, 3, 3, 4,
     "AAD8qgCo//AAbKp9DP8AgxUgDDRglUKp/aoQ/A/BrIlcwawA/NcCVCKoVgEwXFf8qywAWPAQtKr8AyTwLWogAAD89v"
     "wH/asAAAHYqhAA/QAAGICXKv8q/XwA"},
    StoredTrees{0, 3, 4, 0,
     "oOlC0D0/l8/Cqah///AryvD/qsKchfG/A9fFMqE/f//AS1b//cPCAIz//cDCqKn//cDCqKn/p88yTHN/"},
    StoredTrees{0, 3, 4, 1,
     "v+gCwKqh/wVd/yWg/0fwn+/B/xAG/wgOKgnS/2PwquPwKs/8vwP+VU1X/3/w//KgKjVD/w/8KLKqKm/w/+KsKqKm/w"
     "//KkKqKa/w"},
    StoredTrees{0, 3, 4, 2,
     "b+lXD/yhAf8ANVora8/3D8//z8sDDSm/8/8Co0plK2v8Vev8gkKLyX8/+gCBK8X/P8W+lcD/wgYX8lupcC/w/8r8V+"
     "/1AHaL1n8/+mwdcr/0v8"},
    StoredTrees{0, 3, 4, 3,
     "WeBXDf/J/2o//9//KiqkJYz/kOqaANUwP1g/b+pVxP/MgMV/V+X/KgACGjJ//+sqVyqrGEv//8UDdQpVL2r///UMFU"
     "iqbAP/C+okiJ/A/3J/lupXBX/F/2q/"},
    StoredTrees{0, 3, 4, 4,
     "VNV/yqL8CL3wXw/+0CBXCKrFYC3wluqlcMv8sgFVrw/8VIz1KBV/2q3w/+rWmg1Xwf3z7w/+vPwsQ8MSss7wA/VLCV"
     "CKq/2rPwYeqVwS/8if/ybw2+AFIdf8t/2qTw/+qDD8CiqKyi7w"},
    StoredTrees{0, 4, 0, 4,
     "6lQlAUBvO0wEpQV1Vqsw/+/L8vx/P46kqkoaRjO06gEsTxNo+81YqywahENw68EASKKIew68UBQKJauw6rKM0TTDO4"
     "6YqgwCgFOw"},
    StoredTrees{0, 4, 1, 2,
     "cMUFFRr8uoCwspX/+zAsLGz++lJS2lD9+8PDw3P8OkpISNb89QoAA4H8/yzFSnz89CXFivz89CXFivz8"},
    StoredTrees{0, 4, 1, 3,
     "AAKgw2jfAAy8zCsWxWwIAAdRV1XagEiqCvMsqwQMSrA4yzMWgABXKgIAzBQAAAKMD2PcwAA1KkD2vYAAABPU9yr/AA"
     "zclCUKhjAI"},
    StoredTrees{0, 4, 1, 4,
     "93CoKgnwlw3gMBX1VVVV2qzQ+rMo8M8McM7w/VBVJVKqcD/g+ryDAoGoEQ7Auqjyfy/ygx7g/UCqEBIC3z3g+3CXAX"
     "KqMp3AelyqwTyrwn7A+fJchUiqZq3A"},
    StoredTrees{0, 4, 2, 1,
     "/BYXNxb9PUlJSfb+XvCQvEz8/oDy81v8jjws9Db/riAxIqH8/fIADEz8/yuyktz8/Cuyclz8/Cuyspz8"},
    StoredTrees{0, 4, 2, 2,
     "jrygQhT3P0/UCgnCtYf4bpcVx/KMf83mwvI9o1PwPlIXFcn2vwPojJMmj0/wbnygCAphvw/AF8X9XWv0/sADwJx1/8"
     "/8LCMcpjPw"},
    StoredTrees{0, 4, 2, 3,
     "/rUMUM/M3M/A/AR1VV9VBq/QDVIq8L0r9E/AvqgoigholB/gXq8jAwAwYa/AblfKfC/Chx/w/fCVIVIq/8/A/3wUQU"
     "yrWH/A/1wqwASCVx/Af3SVcV8q/8/A"},
    StoredTrees{0, 4, 2, 4,
     "DVPKoAoCKPSfcbqlzJQy/MoXHv/N4VSFUipEajdLgSfUVVFVfarN/rwgwkMLDNyntbqfKrxD8g2PLsft0KdKnyqlmr"
     "e/10VRFUSqPQz9vqo/CDwi8JVzv3q/CP8o9qBWDv"},
    StoredTrees{0, 4, 3, 0,
     "D/Ly8qX+o1VVfY39qysKCcr+t/yMjGj8nzwjIxP//4gAMjb8f/w8FdX89ywqKin+9ywqKin+9ywqKin+"},
    StoredTrees{0, 4, 3, 1,
     "/8CQBnHdvwq4rCsKz/P8AyUpUVX9v0/8ozzPdF/wV38gCAJQPwr7xPEvSpf0/5xFIUv9/4/wq4y9IdPw/wq4yRJ2Pw"
     "/wqyyKJjPw"},
    StoredTrees{0, 4, 3, 2,
     "b6cwfw/ygx/w/6AHAnC2/b/gQ7SIVCVy/W/AVw/J/B/ZGa/A/1MKIIMr0x/A//AcCcLaEQ/Qf6/KAAAAZM/AP6IqUA"
     "0M/a/Am6lAlAvy/z/A/6KozITMdj/A"},
    StoredTrees{0, 4, 3, 3,
     "n6rzyTU/XBmD//wCDcinIF92r+X1fyr8yVov3H8j6kkFVxVcf2r9b6mwx/F/yoMH/V6vyoCIAyG2z//74AyIMSLFBr"
     "8/94JTDUgqFYP/G6hQAUAvwP0D8I6isBXA9av1T9"},
    StoredTrees{0, 4, 3, 4,
     "/5cMqIgoSSp9ZfwCwAJ9dVVnVX9qs0V6r8MwDwAPBs8Ow/6+LDP8Mvwy3HO8/7ciFCAVIqrWat4/3VgqlKg9ag9oN4"
     "37U8qvwD/ANZ8twP9QgVPBX8qv9A/wm6qUMpQyvzKB8ewY6hcMlww/zK98Ow"},
    StoredTrees{0, 4, 4, 0,
     "X/fFNUWhf0qsKwrKs878oOlCUJQPXw//AoChLVv4Wf/A8C0/TwpePMUzxqHwA98XxfGrT0/cDCoLYrfw/cDCoKYrfw"
     "/cDCgKAofw"},
    StoredTrees{0, 4, 4, 1,
     "D8kCkI/N/2/goOCgCiSi/2PAquVRVR/1CmvA//KgPwKhKS/AVd/yAAgEQEfwv+L0KkJW1W/Qv+zCxAjIql/w/+KgKg"
     "KgWc/A/+KsCsCsGY/w/+LLBDHDXz/A"},
    StoredTrees{0, 4, 4, 2,
     "lupUCVAv8IBy8/8wxcKXCl99n9V9f8oACACloG8A+iyxUo1KP9C+gOkrB/w/Wj9g///xAwVFfSldP8GeFcFVBf8f9p"
     "8b+lQBUA/8r/H8W+v8r/A/8GGx8/+ihAosKLCpb+"},
    StoredTrees{0, 4, 4, 3,
     "lupVAFUAf8P/Wrw/88IrApMCmrfaP0n+m/Kv8S/yKaMfwA/UkFVQV1Kn/Sjwb+BjyX/B/8GAav8VNX/KgEAAUBvbHw"
     "/+k8IiSoLKhVo/4/+o/IxQzVDJ/fPwmeqXAJUMv8y/xXwj+pKdFdU/VQ/af0"},
    StoredTrees{0, 4, 4, 4,
     "gOqSkiVXw/XwP3yLQ1cD/z3AFUAFUWmojQ/9ZDyqCgCWgCf3x3A/+vAAMP8oGqsf0r7w/+rAKwAKsCmqK0E7g1uqlc"
     "wlQwv8ggMVrw//XKCXKFXKKr2aC/QG+pFMyFIwP8y/1qbwP+0IFU/FX1Kq/0r3QV+l/yq/wo/yobwsbAb+oZw1Z0V/"
     "8dh2q7Q"},
    StoredTrees{1, 2, 1, 2,
     "0bqwsf8AHXKyP82jBVWv8b/8MzP8mforJ/89zgqKv89zgqKv89zgqKv89zgqKv89zgqKv8"},
    StoredTrees{1, 2, 1, 3,
     "YX9yUKr/Gh4szxf/hm6oQjL/3c1Mown/2r43Mcz/W/zxFGr/9M7QqKL/9Y6iKKr/9s4CqKr/9s4CqKr/"},
    StoredTrees{1, 2, 1, 4,
     "1q+vyn2q7wX19XCokM3wmpuqcy8y7wUN/dJdKq/w2rcpyqFV7w2q+DHxWqzwAA+ryMwr7wdP+3AUKq/w2XOotwny7w"
     "aq+wCSKk3w"},
    StoredTrees{1, 2, 2, 1,
     "W/8LC/8AF3y8P89g6QnP8ra4sKf89vxFdv8/S4qKv8/S4qKv8/S4qKv8/S4qKv8/S4qKv8"},
    StoredTrees{1, 2, 2, 2,
     "9r/0MSz/GC+rI8L/9oMCV1r/Y/9zLIP/ZZevADD/nV+sokT/hpulC/H//cuCwKr//cuSKKr//cuCqKr/"},
    StoredTrees{1, 2, 2, 3,
     "NqnqsA8x/w2P/0yXyr/wY0fV8q8D/w9qD8IlVq/wdr/DJwJc/whpbqXF/K/w9j/vccQo/w/VLqKqil/w/bLgKqKo/w"
     "/bLgKqKo/w"},
    StoredTrees{1, 2, 2, 4,
     "FqP0/yr8g88hlW6lcx/Mu8ZD/7dAUSqv89qw6AnwVUu899/5UCqJqd8kAZ6qyC8K+82qf9NJcSrP8bav6sCgi8O8Zr"
     "XyrylBqu89qv7RCcSpN8"},
    StoredTrees{1, 2, 3, 0,
     "3aOkJv8qf9xkf8AFf8/P8a7/C8v81r8rN/8/auIS/8vQsosP8fY+Qof8vQsqcP8vQsq8/8"},
    StoredTrees{1, 2, 3, 1,
     "1A/YSjL/qWrilKb//cDlcVz/Vv//L8v/AZXPw/H//0riqKD//0riqKD//0riqKD//0riqKD//0riqKD/"},
    StoredTrees{1, 2, 3, 2,
     "/aAwCQVR/wZmb6Uh/y/wWP//DLLD/waaX7/FQa/wgVm6lwvw/w/QP1IK8i/w/W/7SsSM/wGa17fH/L/w/3K4KqCk/w"
     "/3K4KqCg/w"},
    StoredTrees{1, 2, 3, 3,
     "/Zw8hJFXav8GtNNU8q/CP8Vn/+8AsCXP8moZOq8QgKf89Q//cCXIq/8EdVuVXN/yv8/ahPAsyVFf8ZN2+j8j/M/8B0"
     "WeVcN/yv82qhMI8CaiP8"},
    StoredTrees{1, 2, 3, 4,
     "vapjgHwy/xfPZqn/08Jckqz/GPRXV/yr/CvfA2abqZcB/zLv/QM/tCAUUqn/baNrqfyqBULvWZ//rxykIarv/ar/E0"
     "HxSarPvamPqoiy/PPvZqr/s0CSUqTf"},
    StoredTrees{1, 2, 4, 0,
     "n2g1VpU/ABV/8/x/auqwryu/kWvwCEP/lX//wfD/qWD6whY//an4gDI/lEq/z/O/lEq/z/O/lEq/z/O/"},
    StoredTrees{1, 2, 4, 1,
     "/0ANlSlQPwqtquKsKsvwW3///L/H/wABVe/w/xfw/2P8QVQW/w1bP+KqCY/w2fP+KqCY/w2fP+KqCY/w2fP+KqCY/w"
     "2fP+KqCY/w"},
    StoredTrees{1, 2, 4, 2,
     "WjV/X/KAAX8/1ibgnQX8L8fY//8AXKK/8YNdXqfAv8L81Wj/gqRGmv8P2I/qKK/xP8j3WPpsg/8T8/1hjhVwf8H830"
     "z/oqkFXP8bWn/D/MJaP8"},
    StoredTrees{1, 2, 4, 3,
     "/2oW6FXMf8m/1YE/9SgVCKr/Gh1V6n8i/zF/b2v/zwFLJVf/b31A1f8qAED/f2hL4Uox/yo/gG1v6n8A/8z/jdWb6p"
     "cIv8I/2Xc/9igpGmr//2oL6iSCX8F/"},
    StoredTrees{1, 2, 4, 4,
     "bYH/+0DCXaKr3wkGh2e11wlv8qTwb30R+l/yqAMMXw/dfb+qU8A/8g7w12r/8D/HwWlczwv2lgOqyil2WqLwGhq3+o"
     "fwj/zy7wj2q1uUlQq/8lvw/2j/9ffCsV0qzw/2BP/VKJVWKq/w"},
    StoredTrees{1, 3, 1, 3,
     "Uf9yUKhof8Bi6ssgzA/82swJw/LXP8ml6sLFQaP8aX6kQzCRf83X1QqSlav8U/7wHwts/8WX60M8zzP89Y6jCKIsP8"
     "9M5g1CooP8"},
    StoredTrees{1, 3, 1, 4,
     "2j+PCosMkozw2vOohwXxXy7wYP/XJUKoas/wgVuqwFCqAE7w2r+wnw/wVVzwX39VCqJRWi3wGochwqwrwr7wWp+zMc"
     "KlWq3w2q+8Qq8q8g/wdq+3AXKrFq/w"},
    StoredTrees{1, 3, 2, 1,
     "9a6QfHX/2//Jipr/9gwnKdb/YF7wkHL/df0yF1f/pX5A8Az/Db4gIvD//S4sKqH//S4qKij//S4qKij/"},
    StoredTrees{1, 3, 2, 2,
     "EH+rAgjwP8dv/8nytl/8Zpd/KBUGv89UOiBUpVf8Rhu1C/B8P8tr8AcLzfP82/+2M8zbP8/QOQKChCP8vWOoKiiSf8"
     "/cOAwCoiv8"},
    StoredTrees{1, 3, 2, 3,
     "WP/fMlIqWr/wj1bqXK/CvF/w9qDAJwHy2Q/wZ0fn8oBVNq/wAQfpcq8A8A/w9n/rCMfMTM/w/3vqjUio/z/wfVXq8D"
     "MyKx/w19P1z9iq/z/wZq/0D3yr/z/w"},
    StoredTrees{1, 3, 2, 4,
     "9a/6SIoSokGrfWD/9cBXyqliv/hqW6pYy/MvxLv99w1Uiq8U1aXfdav68isnDJgzvEFJ6rxFIqvAfv9qzwEHyKpVar"
     "PbfW6nwxC8Q/Lvdof6siMJKmUDvVA37fMXyq9qrf"},
    StoredTrees{1, 3, 3, 0,
     "3X/8VZX/do8nKmj/tS9C8tz/pY/Jynb/mauAIA3/NIdU/Pz/vf+8kND/V6cMCxf/gS8wKPz/rRM8K6H/"},
    StoredTrees{1, 3, 3, 1,
     "/aPsczx3P8ABffyiL8P8Vv/wKAtW/8q2/kB8qof8/YDAnSldv8/SriCKHQv8ff3PwFQVP8/UvrC8Fwv8ff3BwPABP8"
     "av3CyKwrP8"},
    StoredTrees{1, 3, 3, 2,
     "9vb6VA/yRq/wva///IEM0U/wGQ16fB/K/A/w/aD4CcSkd8/wgdm6nyvwvx/wV2/4M3Ir/z/wbaU6/ABVJa/w2PP6zI"
     "yEmM/wdb/zIgCgfz/w/WP1IK8o/z/w"},
    StoredTrees{1, 3, 3, 3,
     "1D/+rAAiMFij/adXdX8qIVSGr//Yz/UjVUql/P/maluDcA/wI/D/9j/+98M/DAaz/PYIOqIqSAPzD/QZWep3C/wL8X"
     "/W1V+r8ljKvxP/Xaf8MBzJ82XP/vUY+qSIsqNAL/"},
    StoredTrees{1, 3, 3, 4,
     "/ZE/qiAAFPKUqe8WfRfVfyqAFUhqt8fan/MwCsiQzZTN8g2lvqlci/zH/Mu81g8/tPAX8qlWqt8/acDqIksSih1le8"
     "bahXgfzy/Kv8I88/aebqpwovyFE8u8NGr/rzCVIKr8au8Vaj/1zJUMqhZpP8"},
    StoredTrees{1, 3, 4, 0,
     "auqynKtqr8AD/3w/D/P8r1V/8VGkX8VavxQvyVv8r1D8CiJ8D8/WvwMwDDf8q3E4oAQRT8lEq7wLCMb8lEq/w/D8L8"
     "q2DwxCoR38"},
    StoredTrees{1, 3, 4, 1,
     "Wn//fD/HfL/w/2AMCnSpVWPwABquiyii/zvwqtv+IcL8Cq/w/0Vd/yFUlUfw1bP8KgKpKa/w23P+AIAYw8/w2nP8Kg"
     "KpK2/w2nP8FwPxKG/w/1A+wF/KqlPw"},
    StoredTrees{1, 3, 4, 2,
     "/2iPgsCFJZRp/gNZvqUgv8L/F/VXf/XAKivFpz/b2lTr/JAUgFo/GjVnp/A/zP8F//2g/AKcKfNmn/WWv/8IHLK2RH"
     "/2ZD/orJKCiiT//1hbgVwf8Fmi//U2/pUB/8lWv/"},
    StoredTrees{1, 3, 4, 3,
     "/W9v6WcC/8BZbH8GjTV1X8p/wr/AH8b2v/9yCXJKtkBf8/2oAwApwCfDVXD81dv/78cKisBa8/8vYGb6pTAv8yZqX8"
     "ABlW4dUKv8L/wr8/2U/6i8SUHJQcf8bW1f6f8qDxEFav8/Won6FUM/8RZa78"},
    StoredTrees{1, 3, 4, 4,
     "gGqW+kVco/8q/8SbwaUP/+3KIXKKraar3wb30U9V/yqAVVAWqXwv2piOqikCirwmXxLwGhQ1etfwl/yq/wAbw/2vC/"
     "VLBVVKqVFCPw12r/8zyDwyisWkszw/9mVupVwh/8qVUkrw2aq/+PKysKAEKCo3w/2hb+NUAp/8t2Uqzw"},
    StoredTrees{1, 4, 1, 4,
     "33NViqgAREWr3AYP/XBUJUKoas/A2r8gnwvw/yaq7Qtpuqcpcp8qsx7wAQ+rygwzzzzz7A2qeoyHCECoBA7A2m+rCg"
     "Igkw0U7gWv9PJMxMScWrzA2r+gCiHyPxKq7wVh+3IUAUKpWq3A"},
    StoredTrees{1, 4, 2, 1,
     "9Q4jJyo3/g/T6ckLyl/w3T7JycpD/gBP0yMiPz/AWP9gUPBa/A9jwEKCl2/Qoa4yACDw/A1T7wDAQG/w9Z2xkVJz/A"
     "d37wIBDc/A"},
    StoredTrees{1, 4, 2, 2,
     "AFilwXD8PxAwWPz8nyfK1rAA9gCSSKJ8UaAgZpxPIBz/GZAwEXy3AcjzPMAAE3wTJAEiv8AAlVyvIhCPJVAQPayoIS"
     "DAvzAgl2SfKKAlDaAwtpwPMLyfNaAQ"},
    StoredTrees{1, 4, 2, 3,
     "dh/qsgiAhEdr/g1P/3CXCXCrGr/gAGvqU1UV8q8E/A9qTo8IhAXxVq/wWqfo8yci8zYy/A91P1IqJwKR1i/gVqfBxx"
     "zxyhWS/wZoXR8hDxDyBq/QtpbqXBXJ/Khx/ATb/vAMCMKMPM/Q"},
    StoredTrees{1, 4, 2, 4,
     "ZZl7fwrAAASBnw/A2D/9fBUxVIqhas/gdqf4PzyA8vFdmrzAYam6VcpXKfypMA7wtoY6qAU8l5KqcB7AAYP58ysADC"
     "Azwr3A9rzzQKUiFEql1S3A99D1UiqJICpTWq7g9oC6sHyK8ivFWq7QTVH6pwEQBPBw8k7A"},
    StoredTrees{1, 4, 3, 0,
     "jf/wsJSl/AZo8CAgIL/wa6uUFDwA/ApQ/IScrG/gEFf8LCT8/A3a8kJCj8/AbYMLAwNJ/w/Y8Bykq1/QdY9AUPFp/A"
     "3b8AAQrd/g"},
    StoredTrees{1, 4, 3, 1,
     "/XDskyiKJ0/QVj/3IcDwla/AAGroijKIvw/A3W/iBIkimH/gq3/gcBwPD8/w/YHAzCdKXW/gZn/hAEA86l/AZT3p8V"
     "z9AM/wfdffyAABAG/Aff/CrjKUtc/A"},
    StoredTrees{1, 4, 3, 2,
     "A2Z7bBYh/y/w/g/aA4CACcF81a/wPa/38L8H8L/C/AVj//AoAgCsVr/QvVm6lAlwvwgV/AWN01fKfE/IGM/A/aD4Ic"
     "I888da/QZUT6/BAJAKZa/A3a/wMEMUIoTT/g/aH48y8CUVca/w"},
    StoredTrees{1, 4, 3, 3,
     "bdVdX8qAgAEBhA/w/YAuogCI8hfFVq/QPWv+vIczHMiz8M/AA3W+lTBUgf8H/C/AWBtOl81fJfyoYE/AvaYOqIAiQI"
     "pTdo/gVj/+88LKiy8tWj/w/ag/QCUAlAKgz8/g/aRuoUBVwf8KAx/A/ag8ABwA8ErF1S/Q"},
    StoredTrees{1, 4, 3, 4,
     "aWpXq/wDAwAB8GHw7wZgX/1zJUIlQiqGas/g2ahfs3zyfPL8VxmqzA/fVDlUiqSQBKAP8A3gg1WbqpcwlTD/HL8l7w"
     "XaB/S/ym/CeUqtWqzA9W9vtXwpRCn/KkFr3A/acPtAEkigRKKXRSzQFGD/n8AswAyIDPwr3A/aAPNyCXIJcSqd2q3A"},
    StoredTrees{1, 4, 4, 0,
     "/bf78IAkARPAo0P8xyrKqt/QamqykKQq2pvAFCV78Fw/P8fAH2jwAAPAbxPwRX/3wfL8mR/gT1Q/8ihVaVfAqWDwrC"
     "kKiHPgm3/wCAOQtB/wXevxcFw/FG/A"},
    StoredTrees{1, 4, 4, 1,
     "/2P8CjADRVRW/gqtqulCVw/wA8vA1bP+KUKcK8Sb/wP2guIxIBKi/wPAgBr+SASC/D/y/A2qP8PMPEKqKs/g/1D+yk"
     "yoyqqh/QP1ROT8SkSo/8fgWm//AJAJIKY1/A/0Vd/yvwnw1MfA"},
    StoredTrees{1, 4, 4, 2,
     "fY//8gXANyCtpr/gGjV/V/Kfwf8H/K/A/1o3qPMihJVxlcfAgGZvpUiVIf/K/xfw12v/DMcyvErxab/Q/2BfovCJQv"
     "8UAaPAbdX/r/BQCUAr/A/A/2tbjXwl8H/B/yvwb2mDhhAfQP/AFVPA/2g/gKACXJ/zZY/w"},
    StoredTrees{1, 4, 4, 3,
     "AFrWLZUJ1QW/yf/KgA32k/Mf8iAHAA8BqVwwv0WAKooEiiSVKNVAAABUH/NyC3IDcsqymrwAGjXVFX8pSgn/Cv8rQA"
     "D2pvLH8Mfwz/yv/8wAbdF/Kv8iCgL/MoBxwAAYFbKlTAV8D/zP/8QwAE3/JQ8qCgAKUipswA/2g/IypzKfN/8WlqwQ"
     "VWv/D/wc/Jz8pGlrwg"},
    StoredTrees{1, 4, 4, 4,
     "/31P+lwCqykhSpyQGy7gENqVuoVwAVIC/8x/8yrgbYP/+0ABXIBXLKraar3Ab2qb/w/yhAPxAKyABc3gv2qj+oykwy"
     "rwxXw1Xw7gGgAVd3fyVfyV/yq/wAfAj2VmOqlMqlAov8ov8lbw/2hJ/VLKVJIVHKqXGqPQ1Wr/8fDCsCoMCoMGmM3Q"
     "/Wqb+cVUsVc8/8XWWrXA/2og+CzDwzHwSqpWWqzw"},
    StoredTrees{2, 1, 2, 1,
     "pa2uLP8AgBd8v829Y8y/8WHf/kv89vU+Rf8/Rk+Kv8/TUOKv8/SkuKv8/SkuKv8/SkuKv8"},
    StoredTrees{2, 1, 2, 2,
     "2X2jwKX/AogF18r/mFTf6iL/Z9H//Nv/fT1/6XD//e1Y6ar//cNC4ar//cZP7az//cpA4ar//cpA4ar/"},
    StoredTrees{2, 1, 2, 3,
     "VV9q/gVl/wAqIQ/v8M/w/QDWLqnK/wWr2B/zCX/w2P11fV8q/wn1tVnqsw/waqRv/I/z/w3T9rPiIz/wap9izI/z/w"
     "ap9izI/z/w"},
    StoredTrees{2, 1, 2, 4,
     "bT01/+fMrN8DUCahcC888829hfY+rCR+8GqlYH+z8V882A/fcN0Iqd8kqZFG+qkoO8/QQW0uJXKt8WqVgP+TcK/82p"
     "RY0/N0qv8Z9/an+vRpO8"},
    StoredTrees{2, 1, 3, 0,
     "AAZf/P8a2urK/81tX/wv8Va0DVf8UFCnnP8vYkr8/8970r8/8/Ykr8/8/Ykr8/8/Ykr8/8"},
    StoredTrees{2, 1, 3, 1,
     "1T9gMlL/q2rauKz/VtW/88v/AIAFd/L/fb9//QX/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/2v0CcLD/"},
    StoredTrees{2, 1, 3, 2,
     "CKZafw/M/w/1A1C6ly/wav9PL7yq/w1K/QA1/K/wmVnZ/6MX/wEAGFl6/C/wZtda//Rp/wb3/X/7Ys/w/3PUC6SM/w"
     "/2NkL4ca/w"},
    StoredTrees{2, 1, 3, 3,
     "/0QN0Lqlwf8ZqlYP/zQnP8ABSWpvo/Jf81Kv2ALpCKv8WX1W//vMSf8iNYjX/qPM/8aqv3T/XZKf8/1A1YrqvKP8aq"
     "v1SDqVKf8aqv2qXAfMf8"},
    StoredTrees{2, 1, 3, 4,
     "3QP99w9ULKnfgPWIFZeq/PLv1qo1gf8zYlzPZl9lqf+CaPPP/0ADaiuo/wPvNqkmAW/B/Kr/ValVr/+vAUTvd/39lY"
     "MqSPLvGKhVoP8r/PPv/2oNbQuqlHzv"},
    StoredTrees{2, 1, 4, 0,
     "AAAFb/x/XWrQDVU/VDVv/wL/atq6rCu/11faHpw/va9Sv/O/rWFSr/O//eVSr/O//eVSr/O//eVSr/O/"},
    StoredTrees{2, 1, 4, 1,
     "1ZVW/8Qx/wqhqhquKgvwANANVe/yfw/S/0AOVwPwa3Sn//yV/waqSq/+KL/wakSq/+as/waqSq/+as/waqSq/+as/w"
     "aqSZ/9ii/w"},
    StoredTrees{2, 1, 4, 2,
     "SB0pr/w/zP83TT90A6SiT8/9QNUi5lSr81Sv9AF5Lyn8PYCV1f1/yv8Yan2L//Dxf82hRAU/6Ayv8/2v1u/6/Ef8/9"
     "QCUL6/Jz8v9YPWL6v8L8"},
    StoredTrees{2, 1, 4, 3,
     "DVVBakni/zF/VSr/VADlSio/2tPXW//vD8v/v9WAVYLqjyC/QAdKNP/Xfyv/Laohglfw/xc/3XT/ZS/qIFD//9ED3Q"
     "vplSo//90olS/q/CP/aatJav/AaIz/"},
    StoredTrees{2, 1, 4, 4,
     "ACqWgAVer/yibw31dP2qD8ASjxzwv99gNpiuqn8ErwbYPRb3/9WQyr/w1X0/0VAOqKE8Lw/aqUUCf/A/JT/w/9BI19"
     "IulBSqnwXaq/WD/9zCqszwL91IV1a+l/yqLw2mq3VP/9PDyn7w"},
    StoredTrees{2, 2, 2, 2,
     "mmYb5gKIv8Bn2g4IPxf8d/W//Jcm/8/YJi43P8/8tlmX68nWv8b1Df1ArIv83W1b6cBMP89o2Nz8Aov8ab9/7yxrP8"
     "YD9y4IpiP8"},
    StoredTrees{2, 2, 2, 3,
     "WqWG/rMbQr/w0A93DkIpEq/wa2YHXq8Ajw/w9nFo/DAwKX/w2pXT/vSs/M/w/dBZLh0qfy/wtphxvqRFxq/wZq9o/3"
     "QUSo/wBq1vPVYq8J/wZfdq/gnK/D/w"},
    StoredTrees{2, 2, 2, 4,
     "ZanV/+vApcarv/aw2gupXMfzLv2r9g//HyVIqr/9nzan8DF8SZLPaAWPVep8sUCrvVq/fb+VAqgqXfBqPWMOoIAvCv"
     "vYT/ac+ogoEkLvk9bfW+q8sxPLvWqVUP9zgrIozP"},
    StoredTrees{2, 2, 3, 0,
     "GthX/Pz/922rAyv/9QX/Ua3/a1OfIvL/vUW/xET/UJ0/pJz/Bna/KDz/9z0DKtD/9y0XKgD/9y0XKgD/"},
    StoredTrees{2, 2, 3, 1,
     "X3Rb+wzzP8/YFv8VBWf82jY5+PIov8Zp2H9/K8v8P2jauKD8P8qX9QOAUBv8QNqv/AsC/8QNavcjJ8P82oajcDAaP8"
     "2oajcDAaP8"},
    StoredTrees{2, 2, 3, 2,
     "9aPQg6SFVa/w291NP1PKAc/wv1QVZ5XC/x/wZrZj//MsIr/wA9WVX6/I/M/wlBvZ/6jIiA/waV/aCwKTVV/w90Z1X6"
     "/KUK/wWq9WL48T/x/waq/WG7Fzfx/w"},
    StoredTrees{2, 2, 3, 3,
     "WtthaXqvIIDD//aimD/rMHCKz/v1YNVLqVwv8P/WgNTX/VDKsgr/AFW2pTA/MvxX/VWv1LPiSRVWr/ZX0q//PEqz/P"
     "/9r/0UfKIqP/P/9qhYAvz0q//P//0TVkvq0q//P/"},
    StoredTrees{2, 2, 3, 4,
     "v2WBXYuqlxL/Mu8Zq9Wj//FMKUiqv8AFT9q/8A/PP8V88/QNp9ldV/KpBKd8VPf9ZC+pIKFcAu82alVo/+vSIVJqu8"
     "/2s3aC+00lTyqt89Wo9fYOpSTFF8u8WjdY9l+V/C0sKv8VqrWAf+LHCy/LN8"},
    StoredTrees{2, 2, 4, 0,
     "VCfSHxxHD82oYD/zK8v8atoarCvK78r2HVf/xXH80UbT/UWpf8/Q9v/owjP80PaN/fz/P8DarYDPw/D8lZV6/PAs/8"
     "30QT/KgaP8"},
    StoredTrees{2, 2, 4, 1,
     "A9qNquvy/yvw/1/W//FXFX/w/1A2P+QcSs/wWj2Kv+KgKg/w2o12FM/xvyfwql/1AePxKmPw2qGKP+IIII/w2aGYP+"
     "ysxc/w1GFXP+KgLx/wWrWjX9/yAK/w"},
    StoredTrees{2, 2, 4, 2,
     "/9iDYi6FQv/K/bW39v//ylUpr/APVo1V1/yv8K/1QT9WL6SgFUq/Wmt9T/6Acy/P//aZWHf6vJGyj/v9W9Vw6/wIMw"
     "//1S1pjwfzP8V/fff9Ur6Jwm/J//9A9UL6KxWgq/"},
    StoredTrees{2, 2, 4, 3,
     "XVX/ajTALyxQVT8/9YA1ivqFci/wj8WmrZcL/qgUCKcv80PUaNVXV/yqPMH8Zfd/a//vHBckq/8D9BjXULp/yr/AL8"
     "2AX/agPgCjAKKj8v92NlUvqTAD8zL8/3UdVd/qfJFpav8/atFQW/xfCr/Av8"},
    StoredTrees{2, 2, 4, 4,
     "2mq1Wg//UPJXLKr/wv99j19iOqh80v88bwAP02j1H9F/yq/yi3w/QRP2qD8CSiSUApzwb9PYNf/+fzysSgM3wRX3/2"
     "XP+oIFFZ2q7wb9qb1qQeq/wAgLwLw/arfYBV+xVQq/8ijwf1V/Wqt+gXzwaZUbw399f19ZuqZws/8k7w"},
    StoredTrees{2, 3, 2, 3,
     "1r1oPCxyTxxq/wgBtp3qU08osi/w9YZbXi8rVCWY/wfZTf/vIMPKLD/w3203/XAoCs2M/wlp9hDqLKhUtp/wGpWB/x"
     "AqIj8x/w93NlvqiUiq1l/wZfdq/gEB/KRq/w/WNVLq8AAwI8/w"},
    StoredTrees{2, 3, 2, 4,
     "QFvab+H8KLCCwczwGqNQH+zAdSKrxDzwV9vVYOrJ8ilVmq7waBGPZdV8qvKP8r3w9Rwaj8SC80qpKl3wlqbSm+qwgJ"
     "TDXy7wWr1o/+PXLPyz8q3w/Qw2guo88gPICq7wZqXaP/UDVQqphy/w2qfav/UgpMoXEq3w"},
    StoredTrees{2, 3, 3, 0,
     "WliXPBi8/wpY2rJysL/w9jb/kDwG/wla2DyUq1/wa1G/cvJi/wfdVf/JSU/wAGe/QED8/wXZE/CynR/w940HCijz/w"
     "940HCijz/w"},
    StoredTrees{2, 3, 3, 1,
     "r2jauLAoCs/wVvWv/sLx/L/wQH9c+yF8nx/wGhY1e/KQPw/w/Ypi8AkSh3/wqX9QOHM8SG/w/c1z+BwPAX/w9oFD9U"
     "LwJc/w/c9wuBQKDT/w/cFwvIsFzX/w"},
    StoredTrees{2, 3, 3, 2,
     "/aKYm6lyvwTy/w9oZhf6/JAKJo/wfV/awwicV8Vk/wmdm1/6HDLDIR/wYDbb//zMyMTI/w9fLaH0IK8Vda/wD9WN35"
     "fK/A/A/w/2QWZ6bA/wv8/w2X3a/4HQPwGH/wV1/VP6Ik0rfy/w"},
    StoredTrees{2, 3, 3, 3,
     "/2t1//rQLPwxmc/wWkFjXXV/KgDEAy/w/Vf2oPgCUEqVVq/wtqWYFvqfBf8q/A/w1av2Av0IlRKoSC/wbb1Wr/DPMy"
     "VMlj/wANm2ZDr/A/zL8H/w92j1JbkVCv8xlI/w/1YFWbqnyL8R/J/wWQ19v/vxJciqaM/w"},
    StoredTrees{2, 3, 3, 4,
     "lar9qwOoiUDK8smU7wWjdY9ldV/KoAIiAy3w/2sBUJuq1yl/Kv8i7wWWrdaT+1AlUCpRIq3wUF91qv8P8KywDJxMzw"
     "BqhmAX/C/Kf8q/wj/wdXf9qA+iI/JVVVWq7wmvW/dW+qXCL/Ag/y7w9as9If+3MKQiqnSBzwZYFvb/+rAJQIHQkqzw"},
    StoredTrees{2, 3, 4, 0,
     "0PVFf/wkJ8fwqmvYDIcqUtPwvZpavCKIvzvwr0Ac/gAgiN/w1SfarADFMUvwatk6vHA/CrvwBZ9q/fD8P8/w1WpQPy"
     "mKpWPwUOaZXPwq8Cfw/UVf/hxfKh/w"},
    StoredTrees{2, 3, 4, 1,
     "fU21f+/ylQVc/wql/1s+UE/H/LPw/dB2pePxKiKsfwAB/2E8FDPy/xPw1a/Y//wBwKQK/w/1z1quKch838vwq9qN/+"
     "gyYT/y/w330EP+PIKlJW/w2oWjUt/y1Sv8PwVW/0zOykSpVaPw"},
    StoredTrees{2, 3, 4, 2,
     "v9YDWC6fwP8wA8vwWmthD//CqgpVKa/w/3z9ojwzHFfxXbPwAPW0131/yk03/Kfw/9QNUY6Fcv/C/xPwVRf9oP6Cgf"
     "8plF/wba1WP/5Iwiigqc/w/9j1Qr4/J/yv8rPw/3T1oP6HwP/DZp/w/3RpEd6vyI0SP8/wXUP9Yf5LygEARA/w"},
    StoredTrees{2, 3, 4, 3,
     "2vedFb/lwymKSlij/wv92A1YLqvcKdsP/xvwRXX/ag/iCnI/8mWS/wAAC9ZWfFbyr/KP8AfwbatVi//vBQsvy2mj/w"
     "/2oadNPV/yoVVdVqPw/dVvan30/zxQqFEc/w3aX/ajPoJHQcqNqkPwXar9YB/wPJT8p/yr/wv9WDXUjp/yoP8glMPw"
     "//ZNVmPqXwD/zL/Mfw"},
    StoredTrees{2, 3, 4, 4,
     "Wmq2kA//XPJXLKrGJT/w/0AGltl+qvyolUC1UAbwZX1/1VFuqFwDf8VVWqrwD9qYFqT+o/zzQDy/zy7wYP3VT1/9VA"
     "CqCgpLyy3w2FV/2qAMACnwCpyGmSDw/ar/UDZ+wVcs/8qmagTwf9p/1BC+BLwqv8U/8qjwv9lgdFSeqfy1/yqASFLw"
     "1BfXZf/+fywswwsSgc3w"},
    StoredTrees{2, 4, 2, 4,
     "99haW+q8AwwAXw18OwWqVEP9wyU8leKqWq841o/as8AJ8ivApVdqs0GqNgH/DMpPKSSo8A/waq2PZd28q5ALwDbAtw"
     "/aQ2kuqnIlAL8CjAe8YH3Z/+vArAAwgMAHOw/d/WQOVAqiQUoqfAO4RqPSN+w8KIChAocUMwkRZbV+qcIUAHwqGpew"},
    StoredTrees{2, 4, 3, 0,
     "WtiXPBUqwv09KUPyMnK1v42TX/clLxafwUP2jKICQXPwdme/Jycraf8aVG/GBw8A/w9ha/oDEiNP4hamDAQpKrf0Pc"
     "l//AQM/PwV12rzMPFVv4"},
    StoredTrees{2, 4, 3, 1,
     "9WtauLAMEUVX8/YFv/cVyfKdz+D3Tf+HIcjz/L8tn9Q+wjJIoqX+VN1f+BwHA8Vv/WhY1d/IAAIAD8qX9Q+AcKwpDb"
     "99rGI+AAgCiVf80H9g8gKAJA3D8Wn9UOSRKP8Yz9"},
    StoredTrees{2, 4, 3, 2,
     "Bq1j//DLPLKH/K/A/1A1C6Jylyvygx/w9Y/aA4CQK8JVda/gZ3VU/3UFUF/KZr/A2qlav4wAwcS8X8/w/2DWL4clUl"
     "8p/y/gW92Nn1/KAQA8Gc/wdTZafw/MA8C8Zo/Q/aPUh6jAiwSsTU/QkFvVj6jKiAnA3E/A"},
    StoredTrees{2, 4, 3, 3,
     "/0wZovg8l/Jfyr8wv4D9VjXXVfKnwD8A/MPw/aD3EPqAwosjKV0av0tgbWmPqkAFCD8wlqfwZan2j/iMQCPElyd8/0"
     "UGf1UDlCNSRVcqXHPw/1gNULqJCpcK/CQxP8dqmUJPy/FQBUAqYgPwVUVWpfA/MBXA/yGav8WX9V//vDDAwwJMHbPw"},
    StoredTrees{2, 4, 3, 4,
     "ADT99wNUHKiUAPwD/APMZql1A//AMlMiVyKqZQP81av9qQ8CAPAg8BVV1arM9VM9XQ+pACEJAUrydZDu/2tDYEuhdC"
     "pnKP8oQUDu/3QtZieVLKr8U/yi/PPc9o/Waf+vyCyXDL8MVqzvkam9UY+qiSKKMsoimwHtdqplQn9y/KcAhACobADM"
     "2VNdr/+pAwUBBQoqXavuWvZYdd+qfKl8JfwqGwTs"},
    StoredTrees{2, 4, 4, 0,
     "RWnYXzzKkqqV9/Ydv/fJ8vyvL+0PaF//yXJUvz8aho6rCQpCoai8oFPaDAMA8hqE/VdfaDlAUD8FA8X2hY/IAAJCo3"
     "8r09c/iwICQhH8FWvYLCkKiXJd8vapQPigKQq2Y+"},
    StoredTrees{2, 4, 4, 1,
     "ql/1iODwCkKsqhvgU92Nv+lylA/zTz/Af3Q2//fCfA/HaW/A/WR3Rd/yLwVRVSfAVa/Yv+AQAQA8Aa/AAAq1quKwCS"
     "iy/wvA/dP1g+wMwESo/8Pw/V/2D8CnCrCpg2/Q/XBXi+AJIJ/K1WvgWp2hn+PwAMAKUB/w"},
    StoredTrees{2, 4, 4, 2,
     "/a22FH1/yiECTCUE3w/9T9Uh6IwJfC/wn8T8aYF1r/4yEMrxK8Qav0V2v9gk6BciWJ/xZWj8mmlV///PCz8MlXGmvw"
     "/Rj9YD6CiYomVK1SDwRUN1o/wILAFw/8a2v8gPVo1Q5/ygQAEEPzLwP9YPWC6VwFcD/M/xLwv9YCWL6iBFST8o/AD4"},
    StoredTrees{2, 4, 4, 3,
     "/1A/agTsCgiKPEVVRWp8APbaN9XVvyp/IV0i/zJ8b9tAWv/vIJwAlyCrYMP+/9cj1SLqJcBVwP/M/8S/1R3/XSPRIy"
     "ogCBAI2gw8WUPVaz/jCgLKcUryWar/v92AXYvqiQSNBIsolZG8b9phkVvq/wIDwgEyA/I/2mpfaH/A/HOV8n/yV/D9"
     "/aktQX/xVylUBf8KWir8"},
    StoredTrees{2, 4, 4, 4,
     "/9tIFdIulJcFVcF/8l/8qrA/VHbWqU8A/zwCnwBfyFaqTwVQ1/31F9VPyqKMgVQgVYgfgbaqVaD/8yAArACDKqDaar"
     "zA/9qAVhC+lCJdUJV/KqVQALQmr1Wj1Ueq/wgAEAgPwgIVrwP9NT1hS+9YyVfwV/yq/xCnAWlgUVv/+v/As/AM/FMW"
     "Gq7g39dv1VgOqgwggHwip82qcLw/2qP2gT+RSkqSoq/8VWWq/w/ap/UBP/BDyqCoACojQbz/QQBPVdq/+bFCoFBAPx"
     "A/yM3A"},
    StoredTrees{3, 0, 3, 0,
     "d2Zmv/8/AAAV/8xdWdP/8KEtbq/8cr31//8kBU9w/89ycdK/89ycdK/89ycdK/89ycdK/8"},
    StoredTrees{3, 0, 3, 1,
     "AhWvb/7//IAAAV3/q2ratq7/ar9j3w3/FNV32/z/AVpdG///ar9P3F3/ar9DHV3/ar9DHV3/ar9DHV3/"},
    StoredTrees{3, 0, 3, 2,
     "/KL0I0S5/wGjXPXJ/6/wWX1avZQ6/w/IgBiBn6/wQqS1/aPw/wHJJiRv/1/wl1f1/VG6/w2sHHHL/7/wXJ/1DVZ6/w"
     "bNZ1/a///w"},
    StoredTrees{3, 0, 3, 3,
     "BAD9wDc/KwAYtUdX9q/AAA/KgAAowVFQAPEGatWB/MwACd4nW9V/KgAGAN989cKKAAPDA2pJf/LwAAAP939RCKgA20"
     "z90NRmKgAv/f9E9dIKgA"},
    StoredTrees{3, 0, 3, 4,
     "/P01qSWpX4LPtKm/VYNVi6rvYlXSq/0DD8D//KoAAgjyZ1XfAComqXWD/7PP/ENX9PZ0L6vv/fcZVxGr/x/P2ayVDH"
     "0P/8vvbapxAP0B/8vvV2j/dv12Y6rv"},
    StoredTrees{3, 0, 4, 0,
     "/x96lU9/KjfFAqu/oCEtW///XxTatBM//JqH3q8/BxU39of/vQvQ92s/fdLWpms//Wjat2s//eLat2s/"},
    StoredTrees{3, 0, 4, 1,
     "/yAAAAVdfwVV/2/2AMPwqtqtqtquvwaq1b1bf+/wALWqWq///wao2qGqf+/waq2qGqf+/waq2qGqf+/waq2qGqf+/w"
     "aq2qGqf+/w"},
    StoredTrees{3, 0, 4, 2,
     "bN3yf/XE+X81Qj/Qg2UuL8CCiSAac///8/ygAoKCVdX8WndVX/aAMD8091r1UF/+v8FJxytaz/+v8/BL/WDVi+j8mh"
     "f/U9VI+j8/xT/Utlk+r8"},
    StoredTrees{3, 0, 4, 3,
     "YIB/3f9dv+r//ykAASoyVdx/mnXVdf9lAOo/DBdkq1mD//L/aq3aaRRq/8//1yo/1AvcFuW/vdm/2YBdi+o/aqHYah"
     "hqf+D/anX/1f9Vb+r//zUP1Qppv+r/"},
    StoredTrees{3, 0, 4, 4,
     "AxcZarVYD//D/wZd2f91/11Buqrwvw1gD1iilleqbwWn31VUf2r/+Pzwaip2mqGGq/8Q3w3KQv91gJ1S+qLw/yqDao"
     "LWAU9xDwGSrVwCf3y/+k7wnSqf9f/dfl+qrwahN/9pD1BIOqLw"},
    StoredTrees{3, 1, 3, 1,
     "UJQFG/zMP8/Spatq4rP8BkGQWf78f8dt2v3F18v8WNY9bP6Iv8q3bT1D4C/8/ctg3M82/8WLYBg/8I/8/cpyXC8R/8"
     "/cpyXC8B/8"},
    StoredTrees{3, 1, 3, 2,
     "v1v1g1i6lF/wWKWAVA/6PL/w1d1d/aP6IR/wBkBpNZT1/K/wYbYfaa/8zF/waq/acf//Us/wUQ/2NmL6nA/waq/TPX"
     "B7yx/waq/a2bFwPF/waq/WbUc4/F/w"},
    StoredTrees{3, 1, 3, 3,
     "X1P9UDVK6ZRL/YL2A9of/2zyv/1gVXX9qP6CIH/BFQalmBf8fyr/mdZnWdpv6olT/aqv2rZ3F1Dyn/NKv9ANQC6vwP"
     "/FqBVU1q/7/xz/aqv2otrMw3zH/aqv3Y9HB68sX/"},
    StoredTrees{3, 1, 3, 4,
     "GKhUA/T3/3b8q/8/ffRV/2rAwBJ8c8Zl9mq0WB/7MCLM8lAW/dY19i6q8JO8AKgAoBmgX6P8q+81apV9v32P6sjB+8"
     "GKBZqV2f/6/8K+8nf3/aQN1J6mc8u8d2p/X/V1D5UEqt8Nqn2q2YCf8P8U/8"},
    StoredTrees{3, 1, 4, 0,
     "QWjdFVf/H8atq2pqsK78FY9n3r//P8r1LalA9XT82AUBQP9/P81bdJ9oOlD8vb9x1r/8v8DaJk2///P82kYhgP8R/8"
     "2kYhgP8a/8"},
    StoredTrees{3, 1, 4, 1,
     "1bld/ZF+vyfw/1/2/2AMVWPwqhqhqhqu/wvwASAYAW///w/waoaq1Nv+Ks/wQGWHWH/+wx/wVCVCXY/fhy/waqaq2J"
     "f+aI/waqaq2Jf9/y/watal2l/+CX/w"},
    StoredTrees{3, 1, 4, 2,
     "ACoA2aFn+v8p//Wm1p/T//2BX/WvVqXVaf8Pyz/PSj/QBkC+v8I/1SdVH/dBdS8o/b9V/X/VAOooS/ap0mtJw/+Aqv"
     "/VUP/U/VL+mXD/vaU3VtVc+v8Q/31T/UA1Auh8K/"},
    StoredTrees{3, 1, 4, 3,
     "/3VoVf9qAOAjTD8Har9q2VDb/P/F/8PSg/0gCUgur/KL8AC1ARVpqVcD/MX8bZdpqlGb/+8MzP8VWjVav92z9ZKKv8"
     "WipaNNA1v+lTKv811GU3Z/d3+n8Kv8lEG/3YEVS+r8gz8Vdb/1i9WL+qV/D8"},
    StoredTrees{3, 1, 4, 4,
     "VQAVavf1V/+qfwA7wED1EBVGmqX8A/zxzw/dtD9pAZhC+1nKqPw2irmgMVBv/+vjCs3wbavbarfUA//DIxT/wWir1G"
     "q/31AdVLyqbw3WpnX1v31j+qSkkLwDZdTapYdBR+x/wqDwl21/91AF1IuqhcqrwHSq/9gA1ASOm/wqrw"},
    StoredTrees{3, 2, 3, 2,
     "ZrdjVb//8Lvy/wv1g1iVm6nA/w/w3VHV/aM0IcXV/wAAmlmN11fK/A/wtpZpZhb6/IgM/w/VNaBYDzEnMr/wWN1911"
     "/6DKCI/w199NPV/5JKLz/w3YP2QWb5dy/w/w/aKQPTDzCBBK/w"},
    StoredTrees{3, 2, 3, 3,
     "Wo9atWP/3wBcIq/w/2kFhdZW6twi/A/wBamUBlqTwPzD8V/wXU/2o9ww6olJVx/wWtFhZZlV6fyoAC/wD2n9NAc/6z"
     "Jwis/w9qjfT93P1CCvwr/wYDfalEhT8fCr8J/wZr0c/3Wb6lcz/B/wn1ZpWQdn6nyH8K/w"},
    StoredTrees{3, 2, 3, 4,
     "ADb/VwNUS6r8Rfyq7wWqnWr9YM/68DLIsc7w/0MFdP1nw5SIqMFC3w/V/1qh2h/9cylzKq/wZqRmhmX2X1X8qvwn7w"
     "mvWa9Zh1l6r8ogDy7w9ao1Um21b6pUKP8U7wWr1UKdWpXwL88AKozwX2/Ta/1rD7QgVFKp3wbY9taU1P/5gxLCVM3w"},
    StoredTrees{3, 2, 4, 0,
     "/UdalA9UahPwatA2nqsKM8vwmr9gWn8/Cr/w2vaB9UP/CoPwr1BX1n8gpC/wP1qURn8lxW/w0FVVdp8fC8fwhatQV/"
     "+nP8/w2vY9one/C8/wVBfZFr/8Hw/w"},
    StoredTrees{3, 2, 4, 1,
     "UYV91NlePxvyfw/2AGPXL9kSUb/wql/1I1quKlC2vw/a/UqV/+Dxzy/w/3P3D3IOIM1cPwD9qB/1D+xB/y/wVfVa1U"
     "//HzPz/wWpWB1Zn+PyKo/w/1KlEGL8fI/J/wYAWrWjX+/x/y/w"},
    StoredTrees{3, 2, 4, 2,
     "/fT0EfVE+TwpVyfwm/dj2aNndb8qAw/w3Vj/QAUAuoXBvwvwhGtVQ/aB8AowAlfwWl9r3V1/+Qwoqr/wYAF2v9jZ8W"
     "8L/KPwf9UFX/VM+SiV8qPwXXf/UPVJ+vwNvy/wXV/9ovQ//wBUKa/wvaYWGNVm+p8C/yfwDVG/ZjWaOv8z/MPw"},
    StoredTrees{3, 2, 4, 3,
     "W3XaZd/Vv+rKAkps/wB/VkNW9lZNV/Kf8Kfwv92/2YBZi+q/DIDMPwXap9wv1qb+hVzP/Mfw/WcLav9UP/UglRSq/w"
     "YAdlq2WD/+8KqyAL/wXWr9YD9qD8BKcElV/wD2Bj3W9dceH/Kv8wPwEBRbZtpWX+p/EP8w/w/1oN2j9aFuBXAP/Avw"
     "WgdZ9/03H+T8K2yC/w"},
    StoredTrees{3, 2, 4, 4,
     "3WqP9qQ1qS+0/JX/KrHwWg02/1Gj1/9VICqLKM3wX2qf0Q/2qIPAILwWSkDwAABbapbUBW/B/x1/yqPwnX1v9VgNVZ"
     "+qfME/8oLw/2qGmq2mgleqvzyQHxbwfVfR1X1Wq/+fDEsClczw/9lAJFKFFVuV1Qqv8ivwbaqXQP/ZfC+lJAqv8grw"
     "R/1/R1P21yMVSiqREinw"},
    StoredTrees{3, 3, 3, 3,
     "9VWVVtqf4/zBVVVav8Wj9avWD/8wxwIsCzP8/3UFl9Z26Zcq/E/y/8Vdv9YDWL6fJHyilsP8AEb2r9oPwiwwAI/M/8"
     "a0FrVY131byqKAgSv82afVEdq/zBAUgqIqf8/aimj9iAyAkwKIP8/8Zr3U91v/zzwcKLP8/8mlZhWZpl6nyH8yAFf8"},
    StoredTrees{3, 3, 3, 4,
     "P0Dadxh0HHY8VgBW/KsQ/asxU/2T2KCcAH8AUFUgbVFRn32p/AMi8yVVJaoA2h/WqdUD/MMElIioiIwwVPb19z2kAK"
     "gJ8gryAPIgRqBkBmX2XFf8qACAPzIwUABdqv1jPLQgVBKoEqAQ/0NAaNBv/K9HHP8c/ygQQPb/dwN0JKUMqvwDPAIQ"
     "moGYPZZpnKp8KfyqAAAg"},
    StoredTrees{3, 3, 4, 0,
     "PX9algTKcqgEABD9gm/wUP8/zAABq1hkw/AoKsAr1BUpqgpyrVaA/UBX1rwAJCY3AvbV1Uly/CoIBA2vaNqUT/AAQA"
     "AF2vYNED/FVpUAUFfZ9owBMozwAatAmrlx8vwvLA"},
    StoredTrees{3, 3, 4, 1,
     "ql/1A1Aeky/w/8PwVa1UvVl+PwKgL8fwv9qFq1quKcC8Chvwb301HV/+ACACAL/w/1BF/1BOyglU1VfwAA/a2Y//FT"
     "Pz/y/wWpVR1Wl+PwL8ChfwWo2rWjV9/ygAgIfwZHT91NP+fJ/K/H/w/Wf2/2A8AHSpVWPw"},
    StoredTrees{3, 3, 4, 2,
     "WmtpBZb//w8sKVCmv8nXb/WPVhuoXC/wgAL81Pf00/dQOUor/Cfwj8/RxtraUE+r8xVBVSr8A/VT1VFX9fwr8D/wv8"
     "f9mBZvWcev8JPC/8j8f0E3X/VF+i8EAKYIn8X2v90/Vb+mED/MTxf8nVf/Ug1L+hyT8o/K38/a31Npa/8Atwq8IHP8"
     "baVGn9h2+lcD/wanH8"},
    StoredTrees{3, 3, 4, 3,
     "XanRgT1qG+gXDL/KWHF/AND/3SBdIun/KioS/yJ//WofVP9lNeUvKlVVVWr/b9da19pr/888lyyqLPz/v92BVb9VgO"
     "qKEv8y/zI/2mr/aj9oP+DKcErwSpX//RdlqWWBb/H/FYAqQAL/W/RYNVrV3+V/Kf8KmgL/GkRV9X01T9X/Kl8K/wz/"
     "f/b/1gNWQ+p9yP/Mv8y/1Wr/VD1UL+XQKvyr/Kv/"},
    StoredTrees{3, 3, 4, 4,
     "AAAZaqbQAV9w/ykQCq/wozwv9lgJNgNpVuqVUC/8gmjwrw12q/1QP2qDMACnwSqSWhyDw2tP2P3FBE/+nzyoyhcSis"
     "7w1GqVWq/0AD/VABVVKqVGp/w/b1JT1/31EeVLypAcqAVCXwZavVcP/Zfm+qlwov8gv8gbwWpUWhVWmp3+lfyq/yCA"
     "MU7w3UP3VrfVj/+vD8sKFVKmq3wXf2/9WAFWI+q/Ij/Pz/KjLw"},
    StoredTrees{3, 4, 3, 4,
     "Vpf3Fz2qDwAJ8grySrJ1Ec0dUVmqmYCf8L8p/yH/KtmqvwVfb/ZwNkC6onMVcx/ypBRO8Vq/WqtcB/7MyUiJXIqkW8"
     "s4mpXYHRhd26q8AIMAgTCbMe0ZqlUT9Wv/6+QrJAsvKxmrOw/asxov32B1U8qiAAFfDVVN4/2tDaP1ry6jMIIkoyip"
     "aau4ADT/dj1lI6V8qkQA/AD8A+w2VMdqd1jv6rMKMEASlVNqu8v3Wa9Zh136r8MgDwCvIJ8ew"},
    StoredTrees{3, 4, 4, 0,
     "AGvYh/zUNQ/yqcAatQ33qgJwnKtqoMFH9T1jwgCCkKgcIXSTZ9oADAMxQVAAP1qWhgx8nx/K8QE0PaFmly/AAJAPEA"
     "/cRqlAzKcqyrRgEEDfaBgQPApCoKwIlbV9UVz/AAACAEAr1AVp3w/IAQGTcA"},
    StoredTrees{3, 4, 4, 1,
     "/9qJ/1j+CkCoCoqp/QGoWrWjVc/yFQVS/zfARaZYRZ//fJfJ/Kab/g/2AG/1ANwCykSpZ2PgWr/a/Uq+KcCcK82qvw"
     "VEVV/2AMADADVBVCPAqp/1D1qulSlQvygMvAWpVB12l+PwIwKof8fAgBL9qNo+EwEQPyPxPAqVH1YV/+AyACAXgW/A"},
    StoredTrees{3, 4, 4, 2,
     "lNf/WD1iOoUKVC/87/E8bU1WtlD//zyconLK2mv+/aW3FhaY8P8wBcg/Fpe/1WP1o/UAOAMgKwFVdVo8n/dj0aN1eb"
     "8qUQVMP/B/ABv/YAWIuCU0lJbyv8S8v/X/VNlQ+Usp/B/wgBS8v2YDX/VC+grAnwlbP/y//2hpzRaP+MhzK8SvEGT9"
     "Wvd0Xf9P9RMoRNPyRpL8"},
    StoredTrees{3, 4, 4, 3,
     "/2oaVBFq/+AjMABwJfMFkv8/9oAVD9WCOZKKkoo/xQALDwnZm/0YGRi+qIwofC1TK/8b8bQBBq9FC//MUFxQXPyppq"
     "vwADba9ho21dY/KUABQAr/AHwWmjVYlVj/8/AjMoKSlVaavwvb1v3WFdW+n/Kj8RFVI/8Dw1Wr9agNoguCNQpXwv/D"
     "V8L02/WQFf9VM+UgKiBEUKhYAD83asdwP1pA+I8HBScPKRYy74XRf/1gDWIuolCJUAv8z/xLw"},
    StoredTrees{3, 4, 4, 4,
     "barVUDVVT/+vVAMVxM/ysQUs7A/2qP2g/2qA8AALwKnwFfw1VwDw2kf3aq0UAv/AwClwIlSsqWsr/AAP12r1Gj1VdV"
     "/yqQwAQQA/zwXAf9qQJvbZv/+EPJXPBXKKrbJD3gWmq/9qA1qIu1Jcqlco/8q/8ivQWQD39q0VAG+g/wlPyFFSqPwC"
     "LA/aPbapbVBQ+x/yhXcF/8qWajjwVVQ/WqP1ACONCkqiqCRVVVWqHgmqVnQVkdVk+q/wiKHyKPymKVrwlX1/9lAFFC"
     "+qiwgivwi/wlTxrQ"},
    StoredTrees{4, 0, 4, 0,
     "QNg2rauv/8Kgqb2/a//sfygaBoEV3cpQPAUBSq7M/x/H9q1gzc/L8tSnWjzs0yVFVr2jzc/ULQBqVP/c/cTRB1Wv/c"
     "/cLQB2X//c"},
    StoredTrees{4, 0, 4, 1,
     "/xABABANVecwSKSgVb1bP++wVy/yqhqho+MwEXIXfXf3//9wqtV9Vd/1D+/wAKqJ2J/1A+Ow/BVFV1/WB8NwaI/0AG"
     "L2a+Nway/0AEL0aNNway/3AEL1qutw"},
    StoredTrees{4, 0, 4, 2,
     "SCf81ppaZf/r7lSv/SA0gNJvp/Gnd1XVV/2gDA3KJyisaaWX///3/yQAoAdimVXp3l9b/W/1/1Rbq//wj0QJFJRf/r"
     "zU9P/b9X/V2/r3bAFQFUl/2sPi7yisoJpx2Uj/X7"},
    StoredTrees{4, 0, 4, 3,
     "GiCdStVq/2o/0PcVYr/0IAdgNma6nMLJMsq2SDXYL/8/sUCz/LJpKVW//z/c/yo9NAU0LRRX6XMPyiAAYARinH/6vM"
     "ldW/1X/V/10W6r8b3dkVVVV/2rA6vcWyj/0v9Q/1Nh5DczCVKKlWp3Wq/6vs"},
    StoredTrees{4, 0, 4, 4,
     "Gn02VVFVV/2qP+Axw/yqPwgKagKbwV9VWwlwpv9RgNVgN1meqbw/yMAD0AD0ih0/+r4wYAg/wMWmqVWq/+z9wbIqfK"
     "of9B/1CA+wDw1ylP9NPVNL1pVOqpwzw1yiqSEfSmv/8v5wZdo/9q/1C/1TZusZwLBXJKrZIBf0C//D+w"},
    StoredTrees{4, 1, 4, 1,
     "oNoNANANheLyfw2nGG2U2Uf8aE9w1GfWfXf2//xx9wf22n32/2AMUQNwqhqhqhqhquiiswBSB0B0B0X9/y9w2b2aGb"
     "WX/8aI+wWnWHWd2Z/+AH9w2lGG2U2Uf8aM9w2kGG2U2Uf+a89w"},
    StoredTrees{4, 1, 4, 2,
     "f9dDUUVP1QDlKyNwQC9oNaPVT//o/L8wX9f/U/1KtSPmVKPwYCmBBgQf0P///M9w1atVrVa/3z/Usq9wQZUWlFpbWm"
     "PD/AuwWmN92UdnVb/qAU9wCjQoUYFGmtXT/Jcwj9b/VA1QFULr/KvwTUf/UA1AZQvr/CPw"},
    StoredTrees{4, 1, 4, 3,
     "QHRAdkB22mUR6r8QNwGpVZqlUAVQD/8CCr8wRZf/aj9qP2kA4UpyNwXSr/0IDRgZGL6p8oPwfUH/2QDRANEC6ofAvw"
     "Ya1lqWWpbWp/wP8R+wCioKBBoEGjT/1f8q8wi93/3T/dJRUn6v8qfwb99gW2VbbV//7wks9w0XWVVdVV/2kL6ipEtw"},
    StoredTrees{4, 1, 4, 4,
     "QIASn1YalYWl/+qvww6w/X111V1VVv2qwMMSmlBwbaqWarWUAVUD/8zAJTxwlClv9FgBFgFNguqnyiqwAA0QCWQAWb"
     "T2QdV/yqkwU9q/9gP9qJ9qJuo//zbwQCrakrWn0/1nP+oKiy5wCCqP9gABQAZQC+m/yrLw1Cr/2qGmqGmqF+gPzyZw"
     "f9PYBfWtfX1f/+vJcM7wWlf1arVUA/UDz/ASqg9w"},
    StoredTrees{4, 2, 4, 2,
     "v3Y/WAVkNf/oMkLLPcAAGr1qNamVXn/K/wn8ba1WtVD/Y5vmUCv8HsWh9prfU32P//8HWKvc1Wv9gFZBWv/AKcCl/c"
     "f99PYU0P1JbpVAf8L8/fT0V9V/1S/UhKFaPcXaf2E9lbWmfpUy/8Tcm/Vj1a9WjV/n/KgCvMXa3/RFW/1kDhKN/yjc"},
    StoredTrees{4, 2, 4, 3,
     "batVg1VDVU//9wCXLKv31Wr/VA9VD2pW6FcM/8W3AB3baZpxmnGV6n8y/zJ3f9B/3UXd/1mA4Yoqfwg/30Mf2hBaEF"
     "r/7/wkaKr3/2c9an1o/2gPwixyFVL3v3WB1X2VbdVv6mXI/8x72/cY9Br0GjV/1fwpaIrz2vcaNRhlGVX/5coqSvz3"
     "a0do9G01WZV/5f8pgIL/2AP9q/1D/Uob6pcAv8B3"},
    StoredTrees{4, 2, 4, 4,
     "WAP1arVYA/UPK/U/CX/KrNwv91gJVmhVmlVn+qfwg//w6w12q/2AD2hD2q/8PQEsS1UxwX902hFFd1FRVF9VvyqgCo"
     "VwWgN/9pQFVUF11ullwqv8Arw/aTb2qZVAX1AUOl/yFVSqJw2oP2j32v3Wj3/+nCioCsM5wQD0av2av2/9WWep1wqv"
     "8yYw/apPYRfZV/2qD+gLLwPKh7wb9PWpfWhf1W3//1PBVLKq2w/ar/UD/drbZqb+kbcU/8obwAAB2v1VBVf11T91Si"
     "q/yC3w"},
    StoredTrees{4, 3, 4, 3,
     "Xav9q9WDVY//98CVxKpKwvsv92B3Z3Zv1nW6pXAv8D//L8AAFa9Vr1WhVV5f8qSgj/AHM/Wo/XH9d/2oA4QpyCfBFV"
     "DcnUX/3UBZYFVn5VxN/8qP8ncZ/Rk9WU1fXXT1X8p/yqAyr8baldwVVp/Wov5D8MFIw/yfc1Wr/fQVdDWmD4YAqQEF"
     "TSjc/ffdB1VU/2Q/xyApIBVkqvc/bf91iHWIdab6lRC/8L/8HcWhfaalVQ32D/7wBHCosvw/c"},
    StoredTrees{4, 3, 4, 4,
     "v9B/9VWpVWhV0RVfxV/yqAAAEA12qP2gD2g/2qDwAILwIVwUWVxAAABf9vQNPUNv/yPABcCCXIKr0A/QPaamYYHWUH"
     "Wy0/wolMSf8glAgRRv/1vT1/2lAiqCkACrwKDwLAYarRUARd0/dU/xXACoygMSgM2A2v30AUEdUvWVmyql0A/8oj8A"
     "bAf9A/932V33W1/x3/BXVKq/BA2A/QQP2qAWADWAJzUJBUFKobKiNAR/0/f1Af1I2VFip1QpP8BZAqoAAAAmr1Wj1V"
     "31VBF/yqQAF/yqSAP9AQFqQZqZZqbyNUMq/8Q/8g2A"},
    StoredTrees{4, 4, 4, 4,
     "an9ZapZYBbYBd+x/wqivynfyv/yRQWpf2pf2hfVWv//fAJcAJcLKsLKsygABq/9oAFAAFqYuUbwVfwV/yq/yCPAf90"
     "QF1f11/11De1LyqIMBIHyY/w9gX91Wr1Wh1Wmq08A/zwCnwD/yD/xawnapvf1gf1iV1W+qVcFVcF/8q/8wYA/32P9W"
     "PZWP1WAOqikgirw//wv/y5Q2oPWCvWv31T3/+nCioCogCo3Csr2QWEX/2qAVAH1AL+xFAqlAoXFV/GqBgbarXUDVdr"
     "/dnG+FFwqFyAnzwvwwFA/dAGb1WdVf2l2+V1SqlQAfxCWPyXAVaoVf1VR1/11F91FyqFQNfwqVfyvAf2q2mAGmlPV1"
     "h+q/Cj/HzlfylRUZw"},
};
// clang-format on

}  // namespace

TreeStore spftr_trees() { return {kSpftrTrees, TakingTurns::kInOwnLines, true}; }

}  // namespace selvedge::spftr
