"""MJCF models with every kind of joint, in the ways people write them."""

ARM = """
<mujoco model="arm">
  <compiler angle="degree"/>
  <option gravity="0 0 -9.7"/>
  <default><joint armature="0.01" damping="0.3"/><geom density="800"/></default>
  <worldbody>
    <site name="origin" pos="0 0 1"/>
    <body name="base" pos="0 0 0.2">
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="upper" pos="0 0.1 0.2" euler="10 20 30">
        <joint name="shoulder" axis="0 1 0" pos="0 0 -0.1" range="-90 90"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
        <body name="fore" pos="0.3 0 0">
          <joint name="elbow" axis="0 1 1" frictionloss="0.2" ref="20"/>
          <geom type="cylinder" size="0.03 0.15" pos="0.15 0 0" euler="0 90 0"/>
          <site name="hand" pos="0.3 0 0" euler="0 0 45"/>
          <body name="finger" pos="0.3 0.02 0">
            <joint name="grip" type="slide" axis="0 1 0" range="0 0.04" ref="0.01" damping="5"/>
            <geom type="sphere" size="0.02"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

SEVERAL = """
<mujoco>
  <worldbody>
    <body name="gimbal" pos="0.1 0.2 0.3" quat="0.6 0 0.8 0">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="yaw" axis="0 0 1" pos="0.1 0 0" armature="0.2"/>
      <joint name="pitch" axis="0 1 0.3" pos="0 0.2 0"/>
      <inertial pos="0.1 0.05 0" mass="2" fullinertia="0.2 0.3 0.25 0.01 -0.02 0.03"/>
      <body pos="0.5 0 0">
        <joint axis="1 0 0"/><joint axis="0 1 0"/>
        <geom type="ellipsoid" size="0.1 0.2 0.3"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

BALL = """
<mujoco model="ball">
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="ball" type="ball" pos="0.1 -0.2 0.05" armature="0.05"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 -0.3"/>
      <body name="b" pos="0 0 -0.6" euler="0 0 90">
        <joint name="hinge" axis="1 0 0"/>
        <geom type="capsule" size="0.05 0.2" pos="0.2 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

FREE = """
<mujoco model="free">
  <worldbody>
    <body name="trunk" pos="0 0 0.5">
      <freejoint name="root"/>
      <geom type="box" size="0.3 0.15 0.1" pos="0.02 0 0"/>
      <body name="leg" pos="0.3 0.1 0"><joint name="hip" axis="1 0 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
        <body name="foot" pos="0 0 -0.4"><joint name="ankle" axis="0 1 0"/><geom type="sphere" size="0.04"/></body>
      </body>
      <body name="welded" pos="-0.3 0 0" euler="0 45 0"><geom type="box" size="0.05 0.05 0.1"/></body>
    </body>
    <body name="second" pos="1 0 0"><joint name="swing" axis="0 1 0"/>
      <geom type="sphere" size="0.1" pos="0 0 -0.5"/></body>
  </worldbody>
</mujoco>
"""

MODELS = {"arm": ARM, "several": SEVERAL, "ball": BALL, "free": FREE}

#: (what, text, code)
BAD = [
    ("no body", "<mujoco/>", "MJCF003"),
    ("only the ground", '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>', "MJCF003"),
    ("not XML", "<mujoco><worldbody>", "MJCF001"),
    ("unknown element", "<mujoco><wordlbody/></mujoco>", "MJCF001"),
    ("unknown attribute", '<mujoco><worldbody><body mas="1"/></worldbody></mujoco>', "MJCF001"),
    ("no mass", '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>', "MJCF001"),
    ("mass a word",
     '<mujoco><worldbody><body><joint/><inertial pos="0 0 0" mass="heavy"/></body></worldbody></mujoco>', "MJCF001"),
    ("negative size", '<mujoco><worldbody><body><geom size="-1"/></body></worldbody></mujoco>', "MJCF001"),
    ("repeated name", '<mujoco><worldbody><body name="a"/><body name="a"/></worldbody></mujoco>', "MJCF001"),
    ("free inside", '<mujoco><worldbody><body><geom size="1"/><body><freejoint/><geom size="1"/></body></body>'
                    "</worldbody></mujoco>", "MJCF001"),
    ("include in a text", '<mujoco><include file="nowhere.xml"/></mujoco>', "MJCF007"),
    ("mesh in a text", '<mujoco><asset><mesh file="nowhere.stl"/></asset></mujoco>', "MJCF007"),
    ("zero axis", '<mujoco><worldbody><body><joint axis="0 0 0"/><geom size="1"/></body></worldbody></mujoco>',
     "MJCF001"),
    ("impossible inertia", '<mujoco><worldbody><body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/>'
                           "</body></worldbody></mujoco>", "MJCF001"),
]  # fmt: skip


def one(body: str = "", joint: str = "", rest: str = "", option: str = "") -> str:
    """One body on one joint, with something added."""
    text = f'<body name="b" {body}><joint name="j" {joint}/><geom size="0.1"/></body>'
    return f"<mujoco>{option}<worldbody>{text}</worldbody>{rest}</mujoco>"


#: (what, text, code); read, with a finding
REPORTED = [
    ("a spring that is not linear", one(joint='stiffness="3 1"'), "MJCF010"),
    ("a constraint", one(rest='<equality><weld body1="b"/></equality>'), "MJCF011"),
    ("a motor", one(rest='<actuator><motor joint="j"/></actuator>'), "MJCF012"),
    ("no gravity here", one('gravcomp="1"'), "MJCF013"),
    ("a site called as a body", one().replace("<geom", '<site name="b"/><geom'), "MJCF014"),
    ("a heavy free joint", one(joint='type="free" armature="1"'), "MJCF017"),
    ("water", one(option='<option density="1000"/>'), "MJCF015"),
]


def two(rest: str = "", first: str = "", second: str = "", option: str = "") -> str:
    """A hinge and a slide, with something added."""
    inner = (
        f'<body name="c" pos="0.2 0 0"><joint name="k" type="slide" axis="0 1 0" {second}/><geom size="0.1"/></body>'
    )
    body = f'<body name="b"><joint name="j" axis="0 1 0" {first}/><geom size="0.1" pos="0.3 0 0.1"/>{inner}</body>'
    return f"<mujoco>{option}<worldbody>{body}</worldbody>{rest}</mujoco>"


def tendon(attributes: str, *joints: str) -> str:
    """A fixed tendon over joints given as `name:coef`."""
    inside = "".join('<joint joint="{}" coef="{}"/>'.format(*joint.split(":")) for joint in joints)
    return f'<tendon><fixed name="t" {attributes}>{inside}</fixed></tendon>'


def flag(attributes: str) -> str:
    return f"<option><flag {attributes}/></option>"


#: (what, text); every number is MuJoCo's
HONORED = {
    "no gravity": two(option=flag('gravity="disable"')),
    "no dampers": two(first='damping="0.5"', second='damping="2"', option=flag('damper="disable"')),
    "dampers": two(first='damping="0.5"', second='damping="2"'),
    "armature of a tendon on one joint": two(tendon('armature="2" damping="0.3"', "j:3")),
    "armature of an actuator": two('<actuator><motor joint="k" gear="5" armature="0.1" damping="0.2"/></actuator>'),
    "an actuator on a tendon": two(
        f'{tendon("", "k:-2")}<actuator><motor tendon="t" gear="3" armature="0.1"/></actuator>'
    ),
}

REPORTED += [
    ("an actuator on two joints",
     two(f'{tendon("", "j:1", "k:2")}<actuator><motor tendon="t" damping="1"/></actuator>'), "MJCF020"),
    ("a spring on two joints", two(tendon('stiffness="3"', "j:1", "k:2")), "MJCF020"),
    ("a tendon of limited length", two(tendon('range="0 1"', "j:1", "k:2")), "MJCF020"),
    ("a damper on two joints", two(tendon('damping="3"', "j:1", "k:2")), "MJCF020"),
    ("a state", one(rest='<keyframe><key name="home" qpos="1" qvel="1"/></keyframe>'), "MJCF019"),
    ("stronger one way", one(joint='actuatorfrcrange="-1 3"'), "MJCF021"),
    ("a gear", two('<equality><joint joint1="k" joint2="j" polycoef="0 2 0 0 0"/></equality>'), "MJCF022"),
    ("a curve", two('<equality><joint joint1="k" joint2="j" polycoef="0 2 1 0 0"/></equality>'), "MJCF011"),
    ("a joint held", two('<equality><joint joint1="k"/></equality>'), "MJCF011"),
    ("a limited ball", one(joint='type="ball" range="0 30"'), "MJCF023"),
    ("friction of a free joint", one(joint='type="free" frictionloss="1"'), "MJCF017"),
    ("a spring with play on one joint", two(tendon('stiffness="3" springlength="0.1 0.2"', "j:1")), "MJCF020"),
    ("a motor that is off", one(rest='<actuator><motor joint="j" group="2"/></actuator>',
                                option='<option actuatorgroupdisable="2"/>'), "MJCF025"),
    ("a keyframe beside the gear", two('<equality><joint joint1="k" joint2="j" polycoef="0 2 0 0 0"/></equality>'
                                       '<keyframe><key name="home" qpos=".1 .9"/></keyframe>'), "MJCF026"),
    ("a doubt of MuJoCo's", one(rest='<custom><numeric name="n" data="nan"/></custom>'), "MJCF018"),
]  # fmt: skip

BAD += [
    (f"{value} in {what}", text.replace("VALUE", value), "MJCF005")
    for value in ("nan", "inf", "-inf", "1e200")
    for what, text in [
        ("pos", one('pos="VALUE 0 0"')), ("armature", one(joint='armature="VALUE"')),
        ("damping", one(joint='damping="VALUE"')), ("frictionloss", one(joint='frictionloss="VALUE"')),
        ("gravity", one(option='<option gravity="VALUE 0 0"/>')), ("ref", one(joint='ref="VALUE"')),
        ("joint pos", one(joint='pos="0 VALUE 0"')), ("gear of a tendon", two(tendon("", "j:VALUE"))),
        ("a tendon", two(tendon('damping="VALUE"', "j:1"))),
        ("an equality", two('<equality><joint joint1="k" joint2="j" polycoef="VALUE 1 0 0 0"/></equality>')),
        ("an actuator", one(rest='<actuator><motor joint="j" armature="VALUE"/></actuator>')),
        ("a keyframe", one(rest='<keyframe><key name="k" qpos="VALUE"/></keyframe>')),
        ("a gain", one(rest='<actuator><general joint="j" gainprm="VALUE" ctrlrange="-1 1"/></actuator>')),
    ]
]  # fmt: skip
BAD += [
    (f"{value} in ctrlrange", one(rest=f'<actuator><motor joint="j" ctrlrange="-1 {value}"/></actuator>'), "MJCF005")
    for value in ("nan", "inf", "1e200")
]
INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 2 3" quat="VALUE"/><geom'
#: a direction MuJoCo cannot scale to unit length is another one to it, or none
BAD += [
    (f"{value} in the quat of {what}", text.replace("VALUE", value), "MJCF005")
    for value in ("1e-10 1e-10 0 0", "1e-155 1e-155 0 0", "1e-200 1e-200 0 0", "1e160 1e160 0 0", "1e200 1e200 0 0")
    for what, text in [
        ("a body", one('quat="VALUE"')), ("a site", one().replace("<geom", '<site quat="VALUE"/><geom')),
        ("an inertial", one().replace("<geom", INERTIAL)),
        ("a geom", one().replace("<geom", f'{INERTIAL.replace("VALUE", "1 0 0 0")} quat="VALUE"')),
        ("a frame", one().replace("<body", '<frame quat="VALUE"><body').replace("</body>", "</body></frame>")),
    ]
]  # fmt: skip
BAD += [
    (f"a long {what}", text, "MJCF005")
    for what, text in [
        ("axisangle", one('axisangle="1e200 1e200 0 90"')), ("axis", one(joint='axis="1e200 1e200 0"')),
        ("zaxis", one('zaxis="1e200 1e200 0"')), ("xyaxes", one('xyaxes="1e200 0 0 0 1e200 0"')),
        ("euler", one('euler="1e200 0 0"')),
        ("axis of a class", one(option='<default><joint axis="1e200 1e200 0"/></default>')),
        ("zaxis of a frame", one().replace("<body", '<frame zaxis="1e200 1e200 0"/><body')),
        ("zaxis in bad XML", one('zaxis="1e200 1e200 0"', option="<!-- a -- b -->")),
        ("quaternion of a keyframe",
         one(joint='type="free"', rest='<keyframe><key name="k" qpos="0 0 0 1e200 1e200 0 0"/></keyframe>')),
    ]
]  # fmt: skip
BAD += [
    ("negative damping", one(joint='damping="-1"'), "MJCF005"),
    ("negative armature", one(joint='armature="-1"'), "MJCF005"),
    ("inertia of two joints", two(tendon('armature="3"', "j:1", "k:2")), "MJCF006"),
    ("a rotor on two joints",
     two(f'{tendon("", "j:1", "k:2")}<actuator><motor tendon="t" armature="1"/></actuator>'), "MJCF006"),
    ("a million copies", '<mujoco><worldbody><replicate count="1000000" offset="1 0 0"><body><joint/><geom size="0.1"/>'
                         "</body></replicate></worldbody></mujoco>", "MJCF004"),
    ("copies of copies", '<mujoco><worldbody><replicate count="1000"><replicate count="1000"><body><geom size="1"/>'
                         "</body></replicate></replicate></worldbody></mujoco>", "MJCF004"),
    ("copies in bad XML", '<mujoco><!-- a -- b --><worldbody><replicate count="1000000"><geom size="1"/></replicate>'
                          "</worldbody></mujoco>", "MJCF004"),
    ("half a pair", one('pos="\ud800"'), "MJCF001"),
]  # fmt: skip
